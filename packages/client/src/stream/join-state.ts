import { AgentError } from "@agents/schema/error";
import { POSITION_PATTERN, parsePosition } from "@agents/schema/route";
import { RETRIED } from "../transport/retried.ts";
import type { Entry } from "./entry.ts";

/** What a reader knows of a turn that it may have to join again. Changed by the functions here alone. */
export interface JoinState {
  /** Undefined when there is no row (client-managed), and until the server says it. */
  readonly turnId: string | undefined;
  /** Of the last entry that was given out. */
  readonly position: string | undefined;
  /** A chunk without a place was given out: the server keeps no log, so joining again would repeat it. */
  readonly unlogged: boolean;
  /** The turn's `turnEnd` was given out. */
  readonly over: boolean;
  /** Connections in a row that brought nothing. */
  readonly failures: number;
  /** The present connection joined the turn; it did not start it. */
  readonly joined: boolean;
  /** The present connection has brought nothing yet. */
  readonly fresh: boolean;
  /** Connections in a row that joined and were told that there is nothing more. */
  readonly empty: number;
}

/** How a connection ended, other than by the turn's result. */
export type Loss =
  /** The server ended the stream without a last word. */
  | { readonly type: "closed" }
  /** The network did, or the stream was no whole one. */
  | { readonly type: "cut"; readonly error: AgentError }
  /** The server refused to be joined. */
  | { readonly type: "refused"; readonly error: AgentError }
  /** The stream's own last word was an error. */
  | { readonly type: "said"; readonly error: AgentError }
  /** The reader left, and is back. */
  | { readonly type: "left" };

export type Step =
  /** Connect again; after a wait, unless `failures` is 0. */
  | { readonly type: "join"; readonly failures: number }
  /** The turn is over, or the log has nothing more: the snapshot says how it ended. */
  | { readonly type: "settle" }
  | { readonly type: "fail"; readonly error: AgentError };

export const UNJOINED: JoinState = {
  turnId: undefined,
  position: undefined,
  unlogged: false,
  over: false,
  failures: 0,
  joined: false,
  fresh: true,
  empty: 0,
};

/** An entry arrived. `shown: false` for one that was given out before: a server, or a proxy, sent it twice. */
export function onEntry(state: JoinState, entry: Entry): { readonly state: JoinState; readonly shown: boolean } {
  if (entry.position !== undefined && isRepeated(state.position, entry.position)) return { state, shown: false };
  const chunk = "chunk" in entry ? entry.chunk : undefined;
  const over = chunk?.turnEnd !== undefined;
  return {
    shown: true,
    state: {
      ...state,
      turnId: state.turnId ?? chunk?.turnEnd?.snapshotId,
      position: entry.position ?? state.position,
      // The end of a turn whose worker fell silent is no event, so it has no place.
      unlogged: state.unlogged || (entry.position === undefined && !over),
      over,
      failures: 0,
      fresh: false,
      empty: 0,
    },
  };
}

/**
 * How many joined connections must say one after the other that there is nothing more, where no `turnEnd` said so: fetch
 * cannot tell a cut between two frames from an end when the server wanted to close the connection behind it.
 */
const CERTAIN = 3;

/** A connection was made. */
export function onOpened(
  state: JoinState,
  { turnId, joined }: { turnId?: string | undefined; joined: boolean },
): JoinState {
  return { ...state, turnId: turnId ?? state.turnId, joined, fresh: true };
}

/** A connection was lost. Every path leads to an end or to one more of `maxAttempts` failures, so nothing goes on for ever. */
export function onLoss(
  state: JoinState,
  loss: Loss,
  { maxAttempts }: { maxAttempts: number },
): { readonly state: JoinState; readonly step: Step } {
  const settled = (step: Step): { state: JoinState; step: Step } => ({ state, step });
  if (loss.type === "said" && !mayPass(loss.error)) return settled({ type: "fail", error: loss.error });
  if (state.over && state.turnId !== undefined) return settled({ type: "settle" });
  if (loss.type === "refused" && !RETRIED[loss.error.status]) {
    // Whoever wanted a stream did not ask for the log that the server says it lacks.
    const lacksLog = loss.error.status === "FAILED_PRECONDITION" && !state.joined;
    return settled({ type: "fail", error: lacksLog ? cannotJoin(state, loss) : loss.error });
  }
  if (state.turnId === undefined || state.unlogged) return settled({ type: "fail", error: cannotJoin(state, loss) });
  if (loss.type === "left") return settled({ type: "join", failures: 0 });
  const empty = loss.type === "closed" && state.joined && state.fresh ? state.empty + 1 : 0;
  const failures = state.failures + 1;
  const next = { ...state, failures, empty };
  if (empty >= Math.min(CERTAIN, maxAttempts)) return { state: { ...next, empty: 0 }, step: { type: "settle" } };
  if (failures >= maxAttempts) return settled({ type: "fail", error: givenUp(state, loss, failures) });
  return { state: next, step: { type: "join", failures } };
}

/** A server that goes down says UNAVAILABLE to those who listen; of a turn without a worker it says `expired`. */
export function mayPass({ status, details }: AgentError): boolean {
  return status === "UNAVAILABLE" && (details as { status?: unknown } | undefined)?.status !== "expired";
}

/** Positions are the server's own affair; where they look as ours do, a repeat can be told from news. */
function isRepeated(last: string | undefined, next: string): boolean {
  if (last === undefined) return false;
  if (last === next) return true;
  if (!POSITION_PATTERN.test(last) || !POSITION_PATTERN.test(next)) return false;
  const [before, after] = [parsePosition(last), parsePosition(next)];
  return before.epoch === after.epoch && after.seq <= before.seq;
}

function cannotJoin({ turnId, position }: JoinState, loss: Loss): AgentError {
  const why =
    turnId === undefined ? "the server keeps no turn to join (client-managed)" : "the server keeps no log of the turn";
  if (loss.type === "left") {
    return new AgentError(
      "FAILED_PRECONDITION",
      `The stream was left before its end, and ${why}. Call output() before leaving to have it read to its end.`,
    );
  }
  const status = "error" in loss ? lostStatus(loss.error) : "DATA_LOSS";
  return new AgentError(status, `The stream was cut before its end, and ${why}: ${reasonOf(loss)}`, {
    details: positionDetails({ turnId, position }),
    ...("error" in loss ? { cause: loss.error } : {}),
  });
}

function lostStatus({ status }: AgentError): AgentError["status"] {
  return status === "DATA_LOSS" || status === "DEADLINE_EXCEEDED" ? status : "UNAVAILABLE";
}

function givenUp({ turnId, position }: JoinState, loss: Loss, attempts: number): AgentError {
  return new AgentError(
    "UNAVAILABLE",
    `Turn ${turnId} could not be joined again in ${attempts} attempts: ${reasonOf(loss)} It may still be running; follow it later.`,
    {
      details: { ...positionDetails({ turnId, position }), attempts },
      ...("error" in loss ? { cause: loss.error } : {}),
    },
  );
}

function reasonOf(loss: Loss): string {
  return "error" in loss ? loss.error.message : "the server ended the stream without a last word.";
}

function positionDetails({ turnId, position }: Pick<JoinState, "turnId" | "position">) {
  return { ...(turnId && { turnId }), ...(position && { position }) };
}
