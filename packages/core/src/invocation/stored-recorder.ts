import type { AgentInput } from "@agents/schema/agent";
import { AgentError } from "@agents/schema/error";
import type { Caller, TurnMeta } from "@agents/schema/port";
import type { KeptState } from "../session/live-session.ts";
import { encodeState, type StoredState } from "../snapshot/encode-state.ts";
import type { State } from "../state/state.ts";
import { type Begun, newTurnId } from "../turn/begin-turn.ts";
import type { Claimed } from "../turn/claim-turn.ts";
import { type OpenTurn, openTurn } from "../turn/open-turn.ts";
import { parentState } from "../turn/parent-state.ts";
import { queueTurn, type TurnQueue } from "../turn/queue-turn.ts";
import type { TurnDesk } from "../turn/turn-desk.ts";
import type { TurnLog } from "../turn/turn-log.ts";
import type { TurnOrigin } from "../turn/turn-origin.ts";
import type { OpenRow } from "./detach-switch.ts";
import type { StopSwitch } from "./stop-switch.ts";
import { abortedEnding, turnEnding } from "./turn-ending.ts";
import {
  type RecordedEnd,
  type RecordedStart,
  StartRefused,
  type TurnOutcome,
  type TurnRecorder,
} from "./turn-recorder.ts";

export interface StoredRecorderOptions<Custom> {
  readonly desk: TurnDesk;
  readonly queue: TurnQueue;
  readonly caller: Caller;
  readonly origin: TurnOrigin;
  /** What a session starts with that has no state yet. */
  readonly fresh: (sessionId: string) => State<Custom>;
  readonly stop: StopSwitch;
  /** The input as it may be shown, where that differs: first event of the log. */
  readonly shownInput: ((input: AgentInput) => Promise<AgentInput>) | undefined;
  /** A row is there: what carries out a waiting detach, and tells those who want the turn's id. */
  readonly onOpen: (row: OpenRow) => void;
  /** The first turn is one that another process left. */
  readonly claimed: Claimed | undefined;
}

/** Where the live state comes from: the row to continue, and what is stored for it. */
interface Base<Custom> {
  readonly snapshotId: string | undefined;
  readonly stored: StoredState<Custom> | undefined;
}

/** Server-managed: each turn is a row. */
export class StoredRecorder<Custom> implements TurnRecorder<Custom> {
  readonly #options: StoredRecorderOptions<Custom>;
  readonly #made: string[] = [];
  #sessionId: string | undefined;
  #base: Base<Custom> | undefined;
  #row: OpenTurn | undefined;
  #settling = false;

  constructor(options: StoredRecorderOptions<Custom>) {
    this.#options = options;
    this.#sessionId = options.origin.sessionId;
  }

  get sessionId(): string | undefined {
    return this.#sessionId;
  }

  get isOpen(): boolean {
    return this.#row !== undefined && !this.#settling;
  }

  get log(): TurnLog | undefined {
    return this.#settling ? undefined : this.#row?.log;
  }

  get lastStored(): State<Custom> | undefined {
    return this.#base?.stored?.state;
  }

  get snapshots(): { readonly last: string | undefined; readonly made: readonly string[] } {
    const { origin } = this.#options;
    const asked = origin.type === "branch" ? origin.snapshotId : undefined;
    return { last: this.#base?.snapshotId ?? asked, made: this.#made };
  }

  begin(input: AgentInput, turnIndex: number): Promise<RecordedStart<Custom>> {
    const { claimed } = this.#options;
    return this.#base === undefined && claimed !== undefined ? this.#takeOver(claimed) : this.#start(input, turnIndex);
  }

  beginEnd(turnIndex: number): Promise<RecordedStart<Custom>> {
    return this.#start({}, turnIndex, "reject");
  }

  async #start(input: AgentInput, turnIndex: number, ifActive?: "reject"): Promise<RecordedStart<Custom>> {
    const { desk, caller, queue, stop, shownInput } = this.#options;
    const origin = this.#nextOrigin();
    const snapshotId = newTurnId(desk, origin);
    if (snapshotId === undefined) throw unknownSnapshot(origin);
    const text = JSON.stringify(input);
    const answer = await queueTurn(desk, caller, {
      queue,
      origin,
      snapshotId,
      input: text,
      turnIndex,
      shownInput: shownInput === undefined ? text : JSON.stringify(await shownInput(input)),
      signal: () => stop.signal,
      ifActive,
    });
    if (answer.type === "refused")
      throw new StartRefused(answer.error, answer.thrown, answer.sessionId ?? this.#sessionId);
    this.#open(answer);
    return { snapshotId, parentSnapshotId: answer.parent?.snapshotId, load: () => this.#load(answer) };
  }

  async #takeOver(claimed: Claimed): Promise<RecordedStart<Custom>> {
    const { fresh } = this.#options;
    const { lease, turn, chain } = claimed;
    const { snapshotId, parentId } = turn;
    this.#open(claimed).log?.add("turn.restarted", { epoch: lease.epoch });
    const load = (): State<Custom> => {
      const stored = parentState<Custom>({ held: undefined, turn, chain });
      this.#base = { snapshotId: parentId, stored };
      return stored?.state ?? fresh(turn.sessionId);
    };
    return { snapshotId, parentSnapshotId: parentId, load };
  }

  /** A send stays subject to the session's rule at each of its turns; a branch goes on from its own last one. */
  #nextOrigin(): TurnOrigin {
    const { origin } = this.#options;
    if (origin.type === "session" || this.#base?.snapshotId === undefined) return origin;
    return { type: "branch", snapshotId: this.#base.snapshotId };
  }

  #open({ lease, turn }: Pick<Begun, "lease" | "turn">): OpenTurn {
    const { desk, caller, stop, onOpen } = this.#options;
    const { sessionId, snapshotId } = lease;
    const row = openTurn(desk, {
      caller,
      lease,
      turn,
      onAbort: () => stop.stop({ ending: "aborted", error: aborted(snapshotId) }),
      onLost: () => stop.stop({ ending: "failed", lost: true, error: leaseLost(snapshotId) }),
    });
    this.#sessionId = sessionId;
    this.#settling = false;
    this.#row = row;
    onOpen({ sessionId, snapshotId });
    return row;
  }

  #load({ parent, chain, held }: Begun): State<Custom> | undefined {
    const { desk, fresh } = this.#options;
    if (this.#base !== undefined && this.#base.snapshotId === parent?.snapshotId) return undefined;
    if (parent !== undefined) refuseOtherAgent(desk, parent);
    const stored = parent && parentState<Custom>({ held, turn: parent, chain });
    this.#base = { snapshotId: parent?.snapshotId, stored };
    return stored?.state ?? fresh(this.#sessionId as string);
  }

  async settle(outcome: TurnOutcome<Custom>): Promise<RecordedEnd> {
    const row = this.#row as OpenTurn;
    const { snapshotId } = row.lease;
    const { resumable } = this.#options.desk.rules;
    const declined = outcome.status === "completed" && outcome.kept === undefined;
    const counts = (status: TurnOutcome<Custom>["status"]) => !declined && resumable.includes(status);
    const named = (status: TurnOutcome<Custom>["status"]) => (counts(status) ? snapshotId : undefined);
    const kept = this.#encode(outcome.kept);
    const keptIfAborted = this.#encode(outcome.keptIfAborted);
    // From here on: a state that cannot be written leaves the row open, to be failed.
    this.#settling = true;
    try {
      const { turn, position } = await row.settle({
        pending: turnEnding(outcome, { content: kept?.content, snapshotId: named(outcome.status) }),
        aborting: abortedEnding(outcome, { content: keptIfAborted?.content, snapshotId: named("aborted") }),
        heads: declined ? [] : resumable,
      });
      const status = turn.status as RecordedEnd["status"];
      const written = status === outcome.status ? kept : keptIfAborted;
      if (counts(status)) this.#advance(snapshotId, written?.stored);
      return { status, snapshotId: named(status), position, stored: counts(status) && written !== undefined };
    } finally {
      this.#row = undefined;
    }
  }

  #encode(kept: KeptState<Custom> | undefined) {
    return kept && encodeState({ state: kept.state, appendOnly: kept.appendOnly, parent: this.#base?.stored });
  }

  #advance(snapshotId: string, stored: StoredState<Custom> | undefined): void {
    const { desk, caller } = this.#options;
    this.#made.push(snapshotId);
    this.#base = { snapshotId, stored: stored ?? this.#base?.stored };
    if (stored !== undefined) desk.cache.put(caller.scope, snapshotId, stored);
  }

  abandon(): void {
    this.#row?.abandon();
    this.#row = undefined;
  }
}

function unknownSnapshot(origin: TurnOrigin): StartRefused {
  const snapshotId = origin.type === "branch" ? origin.snapshotId : "";
  const error = new AgentError("NOT_FOUND", `Snapshot ${snapshotId} is not there.`, { details: { snapshotId } });
  return new StartRefused(error, false, origin.sessionId);
}

function refuseOtherAgent({ rules }: TurnDesk, { agent, sessionId }: TurnMeta): void {
  if (agent === rules.agent) return;
  throw new AgentError(
    "FAILED_PRECONDITION",
    `Session ${sessionId} belongs to agent '${agent}', not to '${rules.agent}'. Send to that agent, or start a session of its own.`,
    { details: { sessionId, agent } },
  );
}

function aborted(snapshotId: string): AgentError {
  return new AgentError("ABORTED", `Turn ${snapshotId} was aborted.`);
}

function leaseLost(snapshotId: string): AgentError {
  return new AgentError(
    "UNAVAILABLE",
    `Turn ${snapshotId} was stopped: its lease could not be renewed, or another process closed it.`,
  );
}
