import { AgentError, type Status } from "@agents/schema/error";
import type { BeginResult, TurnMeta } from "@agents/schema/port";
import type { TurnDesk } from "./turn-desk.ts";
import type { TurnOrigin } from "./turn-origin.ts";

/** Why there is no turn. `thrown`: the caller's mistake, so the invocation never started; others are outcomes. */
export interface BeginRefusal {
  readonly type: "refused";
  readonly error: AgentError;
  readonly thrown: boolean;
  /** The session it is about, where that is known. */
  readonly sessionId?: string;
  /** The live turn that is in the way. */
  readonly busyId?: string;
}

type Refused = Exclude<BeginResult, { type: "begun" }>;

interface Rule {
  readonly status: Status;
  readonly thrown: boolean;
  /** `what` names the session or snapshot, `turn` is the row that the store answered with. */
  message(words: {
    what: string;
    origin: TurnOrigin;
    agent: string;
    resumable: string;
    turn: TurnMeta | undefined;
  }): string;
}

/** What each refusal of the store means to the one who sent. */
const RULES: Readonly<Record<Refused["type"], Rule>> = {
  busy: {
    status: "ABORTED",
    thrown: true,
    message: ({ what, turn }) =>
      `${what} has a turn running (${turn?.snapshotId}). Wait for it, abort it, or give the agent another concurrency than "reject".`,
  },
  notResumable: {
    status: "FAILED_PRECONDITION",
    thrown: false,
    message: ({ what, turn, agent, resumable }) =>
      `${what} is ${turn?.status}; agent '${agent}' continues from ${resumable} snapshots.`,
  },
  notFound: { status: "NOT_FOUND", thrown: false, message: ({ what }) => `${what} is not there.` },
  otherSession: {
    status: "INVALID_ARGUMENT",
    thrown: true,
    message: ({ what, origin }) =>
      `${what} does not belong to session ${origin.sessionId}. Send one of the two, or two that belong together.`,
  },
  archived: {
    status: "FAILED_PRECONDITION",
    thrown: false,
    message: ({ what }) => `${what} is archived and takes no further turns. Reopen it first.`,
  },
  forked: {
    status: "FAILED_PRECONDITION",
    thrown: false,
    message: ({ what, agent }) =>
      `${what} is forked, and agent '${agent}' does not choose a branch. Send the snapshotId to continue from.`,
  },
  existing: {
    status: "ALREADY_EXISTS",
    thrown: true,
    message: ({ turn }) => `Turn ${turn?.snapshotId} exists already.`,
  },
  conflict: {
    status: "ALREADY_EXISTS",
    thrown: true,
    message: ({ turn }) => `Turn ${turn?.snapshotId} exists already, with another input.`,
  },
};

export function beginRefusal({ rules }: TurnDesk, origin: TurnOrigin, answer: Refused): BeginRefusal {
  const { status, thrown, message } = RULES[answer.type];
  const turn = "turn" in answer ? answer.turn : undefined;
  const what = origin.type === "session" ? `Session ${origin.sessionId}` : `Snapshot ${origin.snapshotId}`;
  const words = { what, origin, agent: rules.agent, resumable: rules.resumable.join(", "), turn };
  const asked = origin.type === "session" ? { sessionId: origin.sessionId } : { snapshotId: origin.snapshotId };
  const found = turn && { turnId: turn.snapshotId, status: turn.status };
  return {
    type: "refused",
    error: new AgentError(status, message(words), { details: { ...asked, ...found } }),
    thrown,
    ...(turn === undefined ? {} : { sessionId: turn.sessionId }),
    ...(answer.type === "busy" ? { busyId: answer.turn.snapshotId } : {}),
  };
}
