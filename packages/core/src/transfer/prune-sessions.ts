import { AgentError } from "@agents/schema/error";
import type { Caller, Clock, PruneRule, SessionIndex, Store } from "@agents/schema/port";
import { systemClock } from "../clock/system-clock.ts";
import { wait } from "../clock/wait.ts";
import { transferIndex } from "./transfer-index.ts";

export interface PruneSessionsOptions extends PruneRule {
  /** These alone. @default every session of the caller */
  readonly sessions?: Iterable<string>;
  /** @default the scope of a deployment without tenants */
  readonly caller?: Caller;
  /** Most rows or logs that are dropped under one lock, so that turns of the session wait no longer. @default 100 */
  readonly limit?: number;
  /** Ends it after the batch in flight; the report then says that it is not complete. */
  readonly signal?: AbortSignal;
  /** @default the system's */
  readonly clock?: Clock;
}

export interface PruneSessionsReport {
  /** Sessions that were looked at. */
  readonly sessions: number;
  /** Rows that were dropped. Events that were dropped alone are not counted. */
  readonly dropped: number;
  readonly batches: number;
  /** False when the signal ended it. */
  readonly complete: boolean;
}

const PAGE = 100;
const DEFAULT_LIMIT = 100;

/**
 * Drops what the rule allows, in bounded batches, beside live traffic: never a live turn, a head, a base that a kept state
 * needs, or a turn that waits for a person. Safe to repeat and to run in several processes. Rejects with INVALID_ARGUMENT for
 * a rule that says nothing or cannot be followed, and with what the store rejects with; what was dropped by then stays so.
 */
export async function pruneSessions(store: Store, options: PruneSessionsOptions): Promise<PruneSessionsReport> {
  const index = transferIndex(store, "To prune sessions");
  const { keepLast, olderThanMs, eventsOlderThanMs, caller = { scope: "" }, limit = DEFAULT_LIMIT } = options;
  const { signal, clock = systemClock } = options;
  const rule = ruleOf({ keepLast, olderThanMs, eventsOlderThanMs });
  refuseLimit(limit);
  let [sessions, dropped, batches] = [0, 0, 0];
  for await (const sessionId of options.sessions ?? allSessions(index, caller)) {
    for (let more = true; more; ) {
      if (signal?.aborted === true) return { sessions, dropped, batches, complete: false };
      const step = await index.prune(caller, sessionId, rule, limit);
      dropped += step.dropped;
      batches += 1;
      more = step.more;
      // A store in this process answers at once: others get their turn between two batches.
      if (more) await wait(clock, 0);
    }
    sessions += 1;
  }
  return { sessions, dropped, batches, complete: true };
}

/** Page by page. One that is used meanwhile may be met twice, which costs a look. */
async function* allSessions(index: SessionIndex, caller: Caller): AsyncGenerator<string> {
  let cursor: string | undefined;
  do {
    const page = await index.listSessions(caller, { limit: PAGE, ...(cursor === undefined ? {} : { cursor }) });
    for (const { sessionId } of page.items) yield sessionId;
    cursor = page.cursor;
  } while (cursor !== undefined);
}

function ruleOf(given: { readonly [Name in keyof PruneRule]: PruneRule[Name] | undefined }): PruneRule {
  const entries = Object.entries(given).filter(([, value]) => value !== undefined);
  if (entries.length === 0) {
    throw new AgentError(
      "INVALID_ARGUMENT",
      "Nothing says what to prune: give at least one of keepLast, olderThanMs and eventsOlderThanMs.",
    );
  }
  for (const [name, value = 0] of entries) {
    const least = name === "keepLast" ? 1 : 0;
    const fits = value >= least && (name !== "keepLast" || Number.isInteger(value));
    if (!fits) throw outOfRange(name, value, least);
  }
  return Object.fromEntries(entries);
}

function refuseLimit(limit: number): void {
  if (!Number.isInteger(limit) || limit < 1) throw outOfRange("limit", limit, 1);
}

function outOfRange(option: string, value: number, least: number): AgentError {
  return new AgentError("INVALID_ARGUMENT", `${option} is ${value}; it takes a number of at least ${least}.`, {
    details: { option, value: String(value), least },
  });
}
