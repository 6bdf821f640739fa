import type { Caller, Lease, SettleRequest } from "@agents/schema/port";
import { closingEventText } from "./event-text.ts";
import type { TurnDesk } from "./turn-desk.ts";
import { encodeTurnResult } from "./turn-result.ts";
import { untilAnswered } from "./until-answered.ts";

/** A row that was just begun is under this epoch. */
const FIRST_EPOCH = 1;

/**
 * Ends a turn whose begin was given up before it was answered: if the store did begin it, nobody would work on it, and its
 * session would be busy until the lease is over. Repeated until it is answered or the lease has the last word; nobody waits for it.
 */
export function closeBegun(desk: TurnDesk, caller: Caller, at: Pick<Lease, "snapshotId" | "sessionId">): void {
  const { store, clock, closing, expiryMs } = desk;
  const ended = closingEventText("turn.canceled", { turnEnd: { finishReason: "aborted" } }, clock);
  const outcome: SettleRequest["aborting"] = {
    status: "aborted",
    result: encodeTurnResult({ finishReason: "aborted" }),
    // Behind the one that rode in begin.
    events: store.events === undefined ? { firstSeq: 1, events: [] } : { firstSeq: 2, events: [ended] },
  };
  const request = { pending: outcome, aborting: outcome, heads: closing.heads };
  const settle = () => store.turns.settle(caller, { ...at, epoch: FIRST_EPOCH }, request);
  untilAnswered(settle, { clock, forMs: expiryMs }).catch(() => {});
}
