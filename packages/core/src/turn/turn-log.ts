import { AgentError } from "@agents/schema/error";
import type { Caller, Clock, EventBatch, EventLog, Fenced, Lease, StoredEvent } from "@agents/schema/port";
import { formatPosition } from "@agents/schema/route";
import type { CustomEventType, EventData, KnownEventType } from "@agents/schema/wire";
import { createEventWriter, type EventOptions, type EventWriter } from "./event-text.ts";

export interface TurnLogOptions {
  readonly events: EventLog;
  readonly caller: Caller;
  readonly lease: Lease;
  readonly clock: Clock;
  readonly leaseMs: number;
  /** Sequence number of the last event that is stored already: those that rode in begin. */
  readonly lastSeq: number;
  /** Longest time an event waits to be stored, in milliseconds. @default 100 */
  readonly flushMs?: number;
  /** Most events that wait. @default 256 */
  readonly batchSize?: number;
  /** What the store said of the row with each append. */
  readonly onAppended?: (answer: Fenced) => void;
}

/**
 * Writes a turn's events in order, in batches: at once when enough wait, else after a moment. One append at a time, so
 * that `firstSeq` always follows what is stored. A batch that failed is repeated unchanged, because only its answer may
 * have been lost, and a store knows a batch again by its numbers; a refusal means that the turn is not ours, and ends the
 * log.
 */
export interface TurnLog {
  /** Numbers an event and keeps it for the next batch. Returns its position. */
  add<Type extends KnownEventType>(type: Type, data: EventData<Type>, options?: EventOptions): string;
  add(type: CustomEventType, data: unknown, options?: EventOptions): string;
  /** Resolves when everything added so far is stored. Rejects when the store refused or failed: then nothing more is. */
  flush(): Promise<void>;
  /**
   * Ends the log; what is not stored yet is for settle to write. Rejects when it is not known whether an earlier batch was
   * stored; to be called again then.
   */
  close(): Promise<ClosedLog>;
  /** The same at once, if no batch is on its way to the store. Otherwise undefined: nothing has changed. */
  closeNow(): ClosedLog | undefined;
  /** The turn is not ours any more: nothing more is written. */
  stop(): void;
  /** Every event from now on, the moment it is added, stored or not. Followers in this process need not wait for a batch. */
  listen(listener: (event: StoredEvent) => void): Listening;
}

export interface Listening {
  /** What was added before and is not stored: with these, what is stored, and what will be heard, there is no gap. */
  readonly unstored: readonly StoredEvent[];
  stop(): void;
}

export interface ClosedLog {
  /** What is left to store and the last event after it. Made for each way that settle may end. */
  endWith<Type extends KnownEventType>(type: Type, data: EventData<Type>): EventBatch;
  /** Position of that last event. */
  readonly lastPosition: string;
  /** Settle wrote this batch: listeners hear its last event. */
  ended(batch: EventBatch): void;
}

export function createTurnLog(options: TurnLogOptions): TurnLog {
  return new BatchedLog(options);
}

type EventType = KnownEventType | CustomEventType;

class BatchedLog implements TurnLog {
  readonly #options: TurnLogOptions;
  readonly #writer: EventWriter;
  #listeners: Set<(event: StoredEvent) => void> | undefined;
  #seq: number;
  #storedSeq: number;
  #waiting: string[] = [];
  #unanswered: EventBatch | undefined;
  #writing: Promise<void> | undefined;
  #cancelTimer: (() => void) | undefined;
  #refused: AgentError | undefined;
  #closed = false;

  constructor(options: TurnLogOptions) {
    this.#options = options;
    this.#writer = createEventWriter(options.lease.snapshotId, options.clock);
    this.#seq = options.lastSeq;
    this.#storedSeq = options.lastSeq;
  }

  add(type: EventType, data: unknown, given?: EventOptions): string {
    const { lease, batchSize = 256 } = this.#options;
    if (this.#closed)
      throw new AgentError(
        "FAILED_PRECONDITION",
        `The log of turn ${lease.snapshotId} has ended; ${type} cannot be added.`,
      );
    const json = this.#writer.write(this.#seq + 1, type, data, given);
    const seq = ++this.#seq;
    this.#waiting.push(json);
    if (this.#listeners !== undefined) this.#tell({ seq, epoch: lease.epoch, json });
    if (this.#waiting.length >= batchSize) this.#background();
    else this.#later();
    return formatPosition({ epoch: lease.epoch, seq });
  }

  async flush(): Promise<void> {
    const target = this.#seq;
    while (this.#storedSeq < target) {
      if (this.#refused !== undefined) throw this.#refused;
      await this.#append();
    }
  }

  async close(): Promise<ClosedLog> {
    this.stop();
    await this.#writing?.catch(() => {});
    if (this.#unanswered !== undefined) await this.#append();
    if (this.#refused !== undefined) throw this.#refused;
    return this.#closedLog();
  }

  closeNow(): ClosedLog | undefined {
    if (this.#writing !== undefined || this.#unanswered !== undefined || this.#refused !== undefined) return undefined;
    this.stop();
    return this.#closedLog();
  }

  stop(): void {
    this.#closed = true;
    this.#cancel();
  }

  listen(listener: (event: StoredEvent) => void): Listening {
    const { epoch } = this.#options.lease;
    this.#listeners ??= new Set();
    this.#listeners.add(listener);
    const unstored = this.#waiting.map((json, index) => ({ seq: this.#storedSeq + 1 + index, epoch, json }));
    return { unstored, stop: () => void this.#listeners?.delete(listener) };
  }

  #tell(event: StoredEvent): void {
    for (const listener of this.#listeners ?? []) listener(event);
  }

  #later(): void {
    const { clock, flushMs = 100 } = this.#options;
    this.#cancelTimer ??= clock.setTimer(flushMs, () => this.#background());
  }

  #cancel(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }

  /** Nobody waits for this one: it tries again, and whoever flushes or closes next learns of a failure. */
  #background(): void {
    this.#cancel();
    if (this.#writing !== undefined) return;
    this.flush().catch(() => {
      if (this.#refused === undefined && !this.#closed) this.#later();
    });
  }

  #append(): Promise<void> {
    this.#writing ??= this.#appendBatch().finally(() => {
      this.#writing = undefined;
    });
    return this.#writing;
  }

  async #appendBatch(): Promise<void> {
    const { events, caller, lease, leaseMs, onAppended } = this.#options;
    this.#cancel();
    this.#unanswered ??= { firstSeq: this.#storedSeq + 1, events: this.#waiting.slice() };
    const batch = this.#unanswered;
    const answer = await events.append(caller, lease, { batch, leaseMs });
    this.#unanswered = undefined;
    onAppended?.(answer);
    if (!answer.ok) {
      this.#refused = notOurs(lease);
      throw this.#refused;
    }
    this.#storedSeq += batch.events.length;
    this.#waiting = this.#waiting.slice(batch.events.length);
    // What came while the store was writing: those who added it found an append under way.
    if (this.#waiting.length > 0 && !this.#closed) this.#later();
  }

  #closedLog(): ClosedLog {
    const { epoch } = this.#options.lease;
    const last = this.#seq + 1;
    return {
      endWith: (type, data) => ({
        firstSeq: this.#storedSeq + 1,
        events: [...this.#waiting, this.#writer.write(last, type, data)],
      }),
      lastPosition: formatPosition({ epoch, seq: last }),
      ended: ({ events }) => this.#tell({ seq: last, epoch, json: events.at(-1) as string }),
    };
  }
}

function notOurs({ snapshotId }: Lease): AgentError {
  return new AgentError("ABORTED", `Turn ${snapshotId} is not ours any more: its events were refused.`);
}
