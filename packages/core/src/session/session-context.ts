import { AsyncLocalStorage } from "node:async_hooks";
import { AgentError } from "@agents/schema/error";
import type { AgentSession, AgentTurn } from "./agent-session.ts";

interface Current {
  readonly session: AgentSession;
  readonly turn: AgentTurn | undefined;
}

const storage = new AsyncLocalStorage<Current>();

/** Runs the function so that what it calls, however deep, finds the session and turn. */
export function withSession<T>(current: Current, run: () => T): T {
  return storage.run(current, run);
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
