import type { AgentInput, FinishReason, Message, Usage } from "@agents/schema/agent";
import { AgentError, toAgentError, toWireError, type WireError } from "@agents/schema/error";
import type { KeptState } from "../session/live-session.ts";
import { addUsage } from "./add-usage.ts";
import { admitState } from "./check-custom.ts";
import { type BoundTransform, shownError } from "./client-transform.ts";
import { wantsSnapshot } from "./snapshot-policy.ts";
import {
  type RecordedEnd,
  type RecordedStart,
  StartRefused,
  type TurnError,
  type TurnOutcome,
} from "./turn-recorder.ts";
import type { Workbench } from "./workbench.ts";

/** How the last turn of the invocation ended. */
export interface LastTurn {
  readonly finishReason: FinishReason;
  /** As clients see it. */
  readonly error?: WireError | undefined;
  readonly turnIndex: number;
}

export interface FailedTurn {
  readonly error: unknown;
  /** The user's message, which is kept where failed turns can be continued. */
  readonly message?: Message | undefined;
  readonly turnIndex: number;
}

/** What the inputs of one record have finished: a detached one serves all that were queued. */
interface Finished<Custom> {
  /** After the last input that was processed. */
  readonly last: KeptState<Custom> | undefined;
  /** Before the input that is, or was last, under way. */
  readonly before: KeptState<Custom> | undefined;
}

const NOTHING_USED: Usage = Object.freeze({});
const NOTHING_FINISHED = { last: undefined, before: undefined };

/** Begins and ends the records of an invocation's turns, and tells the client how each ended. */
export class TurnSettler<Custom, Status> {
  readonly #bench: Workbench<Custom, Status>;
  #open: RecordedStart<Custom> | undefined;
  #last: LastTurn | undefined;
  /** Of the open record, and of all turns. */
  #usage = NOTHING_USED;
  #total = NOTHING_USED;
  #finished: Finished<Custom> = NOTHING_FINISHED;

  constructor(bench: Workbench<Custom, Status>) {
    this.#bench = bench;
  }

  get last(): LastTurn | undefined {
    return this.#last;
  }

  /** Of all turns. */
  get usage(): Usage {
    return this.#total;
  }

  /** The record that is open: a detached one serves every input that was queued. */
  get open(): RecordedStart<Custom> | undefined {
    return this.#bench.recorder.isOpen ? this.#open : undefined;
  }

  /** Begins a record and makes the live session start from its state. Throws StartRefused. */
  async begin(input: AgentInput, turnIndex: number): Promise<RecordedStart<Custom>> {
    const { spec, recorder, live } = this.#bench;
    let start: RecordedStart<Custom>;
    try {
      start = await recorder.begin(input, turnIndex);
    } catch (error) {
      await this.notBegun({ error, turnIndex });
      throw error;
    }
    this.#usage = NOTHING_USED;
    this.#finished = NOTHING_FINISHED;
    live.startTurn();
    try {
      const state = start.load();
      if (state !== undefined) live.replace(admitState(spec, state));
    } catch (error) {
      await this.fail({ error, turnIndex });
      throw error;
    }
    this.#open = start;
    return start;
  }

  /** An input never became a turn. An agent that catches why ends with it all the same, unless it goes on. */
  async notBegun({ error: thrown, turnIndex }: FailedTurn): Promise<void> {
    const { stop, transform } = this.#bench;
    const finishReason = stop.cause?.ending ?? "failed";
    const error = thrown instanceof StartRefused ? thrown.error : thrown;
    const shown = finishReason === "failed" ? await shownError(transform, stop.cause?.error ?? error) : undefined;
    this.#last = { finishReason, turnIndex, error: shown };
  }

  /** An input of the open record is about to be processed. */
  startInput(): void {
    this.#bench.live.startTurn();
    this.#finished = { last: this.#finished.last, before: this.#finished.last };
  }

  /** It was. */
  processed(end: { readonly finishReason: FinishReason; readonly turnIndex: number }): void {
    this.#finished = { last: this.#bench.live.now, before: this.#finished.before };
    this.#last = end;
  }

  /** Counts towards the open record and the invocation. */
  used(added: Usage): void {
    this.#usage = addUsage(this.#usage, added);
    this.#total = addUsage(this.#total, added);
  }

  /** Ends the open record well. Throws if it turns out to be aborted. */
  complete(): Promise<void> {
    const { spec, recorder, live } = this.#bench;
    const { finishReason = "stop", turnIndex = 0 } = this.#last ?? {};
    const { state } = live;
    const previous = recorder.lastStored;
    const keep = wantsSnapshot(spec.snapshot, { event: "turnEnd", state, previous, turnIndex });
    const outcome: TurnOutcome<Custom> = {
      status: "completed",
      finishReason,
      usage: this.#usage,
      kept: keep ? live.now : undefined,
      // An abort that comes before takes the last input with it, and none of those that finished before.
      keptIfAborted: this.#finished.before,
    };
    return this.#settle(outcome, turnIndex);
  }

  /**
   * Undoes what the input under way changed, and ends the open record: failed, or as the stop switch says. It keeps what
   * earlier inputs have finished.
   */
  fail(failed: FailedTurn): Promise<void> {
    const { spec, stop, live } = this.#bench;
    const ending = stop.cause?.ending ?? "failed";
    if (ending !== "failed" || spec.resumeFrom !== "settled") {
      live.rollback();
      return this.#failWith(failed, this.#finished.before);
    }
    const before = live.startedFrom;
    live.rollbackToKept(failed.message === undefined ? [] : [failed.message]);
    return this.#failWith(failed, live.state === before ? this.#finished.before : live.now);
  }

  /** Ends the open record the same way after its inputs were processed: what they finished stays. */
  failAfter(failed: FailedTurn): Promise<void> {
    return this.#failWith(failed, this.#finished.last);
  }

  async #failWith({ error: thrown, turnIndex }: FailedTurn, kept: KeptState<Custom> | undefined): Promise<void> {
    const { stop, recorder, transform } = this.#bench;
    const { cause } = stop;
    const ending = cause?.ending ?? "failed";
    const error = ending === "failed" ? await turnError(transform, cause?.error ?? thrown) : undefined;
    this.#last = { finishReason: ending, turnIndex, error: error?.shown };
    if (cause?.lost) {
      this.#open = undefined;
      recorder.abandon();
      return;
    }
    const keptIfAborted = this.#finished.before;
    await this.#settle(
      { status: ending, finishReason: ending, usage: this.#usage, error, kept, keptIfAborted },
      turnIndex,
    );
  }

  /** Stores what changed after the last turn in a record of its own. Throws ABORTED if the session went on meanwhile. */
  async saveEnd(turnIndex: number): Promise<void> {
    const { recorder, live, transform } = this.#bench;
    const { load } = await recorder.beginEnd(turnIndex).catch(refusedLate);
    if (load() === undefined) {
      const finishReason = this.#last?.finishReason ?? "stop";
      await this.#record({ status: "completed", finishReason, usage: NOTHING_USED, kept: live.now });
      live.stored();
      return;
    }
    const error = movedOn(live.state.sessionId);
    const failed = { status: "failed", finishReason: "failed", usage: NOTHING_USED } as const;
    await this.#record({ ...failed, error: await turnError(transform, error) });
    throw error;
  }

  async #settle(outcome: TurnOutcome<Custom>, turnIndex: number): Promise<void> {
    const { stop, live, emitter, sendEnd } = this.#bench;
    // What was sent before the end is seen before it.
    if (emitter.isBusy) await emitter.idle();
    const { status, snapshotId, position, stored } = await this.#record(outcome);
    if (stored) live.stored();
    const finishReason = status === "aborted" ? "aborted" : outcome.finishReason;
    this.#last = { finishReason, turnIndex, error: status === "failed" ? outcome.error?.shown : undefined };
    // The store knew of an abort before we did.
    if (status === "aborted") stop.stop({ ending: "aborted", error: abortedAtItsEnd() });
    const turnEnd = snapshotId === undefined ? { finishReason } : { snapshotId, finishReason };
    const sent = sendEnd(position === undefined ? { chunk: { turnEnd } } : { chunk: { turnEnd }, position });
    // Whoever stopped the turn does not wait for its reader.
    if (stop.cause === undefined) await sent;
    else if (status === "aborted" && outcome.status === "completed") throw stop.cause.error;
  }

  #record(outcome: TurnOutcome<Custom>): Promise<RecordedEnd> {
    const { detach, recorder } = this.#bench;
    detach.withdraw();
    this.#open = undefined;
    return recorder.settle(outcome);
  }
}

async function turnError(transform: Pick<BoundTransform, "error">, thrown: unknown): Promise<TurnError> {
  const shown = await shownError(transform, thrown);
  return { stored: toWireError(toAgentError(thrown)), shown };
}

/** The invocation has run: what its start would have thrown is an outcome now. */
function refusedLate(error: unknown): never {
  throw error instanceof StartRefused ? error.error : error;
}

function abortedAtItsEnd(): AgentError {
  return new AgentError("ABORTED", "The turn was aborted as it ended.");
}

function movedOn(sessionId: string): AgentError {
  return new AgentError(
    "ABORTED",
    `Session ${sessionId} was continued elsewhere while this invocation ended: what changed after its last turn was not saved.`,
  );
}
