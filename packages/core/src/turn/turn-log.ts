import { AgentError } from "@agents/schema/error";
import type { Caller, Clock, EventBatch, EventLog, Fenced, Lease } from "@agents/schema/port";
import { formatPosition } from "@agents/schema/route";
import type { CustomEventType, Display, EventData, KnownEventType, TurnEvent, Visibility } from "@agents/schema/wire";

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
  /** Sees every event the moment it is added, stored or not: for followers in this process. */
  readonly onEvent?: (event: TurnEvent, position: string) => void;
  /** What the store said of the row with each append. */
  readonly onAppended?: (answer: Fenced) => void;
}

export interface EventOptions {
  /** @default "agent" */
  readonly source?: string;
  /** @default "public" */
  readonly visibility?: Visibility;
  readonly display?: Display;
}

export interface TurnLog {
  /** Numbers an event and keeps it for the next batch. Returns its position. */
  add<Type extends KnownEventType>(type: Type, data: EventData<Type>, options?: EventOptions): string;
  add(type: CustomEventType, data: unknown, options?: EventOptions): string;
  /** Resolves when everything added so far is stored. Rejects when the store refused or failed: then nothing more is. */
  flush(): Promise<void>;
  /**
   * Ends the log and gives what is not stored yet, for settle to write. Rejects when it is not known whether an earlier
   * batch was stored; to be called again then.
   */
  close(): Promise<EventBatch>;
}

/**
 * Writes a turn's events in order, in batches: at once when enough wait, else after a moment. One append at a time, so
 * that `firstSeq` always follows what is stored. A batch that failed is repeated unchanged, because only its answer may
 * have been lost, and a store knows a batch again by its numbers; a refusal means that the turn is not ours, and ends the
 * log.
 */
export function createTurnLog(options: TurnLogOptions): TurnLog {
  const { events, caller, lease, clock, leaseMs, flushMs = 100, batchSize = 256, onEvent, onAppended } = options;
  let seq = options.lastSeq;
  let waiting: string[] = [];
  let storedSeq = options.lastSeq;
  let unanswered: EventBatch | undefined;
  let writing: Promise<void> | undefined;
  let cancelTimer: (() => void) | undefined;
  let refused: AgentError | undefined;
  let closed = false;

  function add(type: KnownEventType | CustomEventType, data: unknown, given: EventOptions = {}): string {
    if (closed)
      throw new AgentError(
        "FAILED_PRECONDITION",
        `The log of turn ${lease.snapshotId} has ended; ${type} cannot be added.`,
      );
    seq += 1;
    const event = {
      turnId: lease.snapshotId,
      seq,
      type,
      source: given.source ?? "agent",
      visibility: given.visibility ?? "public",
      ...(given.display === undefined ? {} : { display: given.display }),
      createdAt: new Date(clock.now()).toISOString(),
      data,
    } as TurnEvent;
    waiting.push(JSON.stringify(event));
    const position = formatPosition({ epoch: lease.epoch, seq });
    onEvent?.(event, position);
    if (waiting.length >= batchSize) background();
    else later();
    return position;
  }

  function later(): void {
    cancelTimer ??= clock.setTimer(flushMs, background);
  }

  /** Nobody waits for this one: it tries again, and whoever flushes or closes next learns of a failure. */
  function background(): void {
    cancelTimer = undefined;
    flush().catch(() => {
      if (refused === undefined && !closed) later();
    });
  }

  async function flush(): Promise<void> {
    const target = seq;
    while (storedSeq < target) {
      if (refused !== undefined) throw refused;
      await write();
    }
  }

  function write(): Promise<void> {
    writing ??= append().finally(() => {
      writing = undefined;
    });
    return writing;
  }

  async function append(): Promise<void> {
    cancelTimer?.();
    cancelTimer = undefined;
    unanswered ??= { firstSeq: storedSeq + 1, events: waiting.slice() };
    const batch = unanswered;
    const answer = await events.append(caller, lease, { batch, leaseMs });
    unanswered = undefined;
    onAppended?.(answer);
    if (!answer.ok) {
      refused = new AgentError("ABORTED", `Turn ${lease.snapshotId} is not ours any more: its events were refused.`);
      throw refused;
    }
    storedSeq += batch.events.length;
    waiting = waiting.slice(batch.events.length);
  }

  return {
    add: add as TurnLog["add"],
    flush,
    async close() {
      closed = true;
      cancelTimer?.();
      cancelTimer = undefined;
      await writing?.catch(() => {});
      if (unanswered !== undefined) await write();
      if (refused !== undefined) throw refused;
      return { firstSeq: storedSeq + 1, events: waiting };
    },
  };
}
