import { AsyncLocalStorage } from "node:async_hooks";
import type { AgentChunk } from "@agents/schema/agent";
import { AgentError } from "@agents/schema/error";
import type { AgentContext, Clock, IdSource, Telemetry } from "@agents/schema/port";
import type { AgentSession, AgentTurn } from "./agent-session.ts";

/** What an invocation lends to whatever runs inside it. One per invocation. */
export interface Surroundings {
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly telemetry: Telemetry;
  readonly context: AgentContext;
  /** How many invocations this one runs inside of: 0 for a client's, 1 for that of an agent that it asked. */
  readonly depth: number;
  readonly sendChunk: (chunk: AgentChunk) => Promise<void>;
  readonly abortSignal: AbortSignal;
  /** What the turn has done so far stays when it fails, where failed turns can be continued from. */
  readonly keepSoFar: () => void;
}

export interface CurrentWork {
  readonly session: AgentSession;
  readonly turn: AgentTurn | undefined;
  readonly around: Surroundings;
}

const storage = new AsyncLocalStorage<CurrentWork>();

/** Runs the function so that what it calls, however deep, finds the session and turn. */
export function withSession<T>(current: CurrentWork, run: () => T): T {
  return storage.run(current, run);
}

/** The same without throwing: for what works inside an agent and outside of any. */
export function currentWork(): CurrentWork | undefined {
  return storage.getStore();
}

/**
 * The session that the current code works for: inside an agent's function, its turns, and whatever they call. The type of
 * its custom state is the caller's to know. Throws FAILED_PRECONDITION elsewhere.
 */
export function currentSession<Custom = unknown>(): AgentSession<Custom> {
  const session = storage.getStore()?.session;
  if (session === undefined) throw outside("currentSession()", "an agent's function");
  return session as unknown as AgentSession<Custom>;
}

/** The turn that the current code works for. Throws FAILED_PRECONDITION outside a turn. */
export function currentTurn(): AgentTurn {
  const turn = storage.getStore()?.turn;
  if (turn === undefined) throw outside("currentTurn()", "a turn, that is, what session.run calls");
  return turn;
}

function outside(call: string, place: string): AgentError {
  return new AgentError("FAILED_PRECONDITION", `${call} was called outside ${place}.`);
}
