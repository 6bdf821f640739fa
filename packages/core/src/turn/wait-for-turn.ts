import { AgentError } from "@agents/schema/error";
import type { Caller, TurnMeta } from "@agents/schema/port";
import { openLookout } from "./lookout.ts";
import { readStatus } from "./summarize-turn.ts";
import type { TurnDesk } from "./turn-desk.ts";
import { untilAnswered } from "./until-answered.ts";

export interface WaitForTurnOptions {
  readonly snapshotId: string;
  /** In milliseconds; then DEADLINE_EXCEEDED. @default no limit */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/**
 * The row once it is final, or reads as expired: then nobody works on it any more. Undefined when there is none (any
 * more). Rejects with DEADLINE_EXCEEDED, or the signal's reason.
 */
export async function waitForTurn(
  desk: Pick<TurnDesk, "store" | "clock" | "pollMs" | "expiryMs">,
  caller: Caller,
  { snapshotId, timeoutMs, signal }: WaitForTurnOptions,
): Promise<TurnMeta | undefined> {
  const { store, clock, pollMs, expiryMs } = desk;
  const until = timeoutMs === undefined ? Number.POSITIVE_INFINITY : clock.now() + timeoutMs;
  const lookout = await openLookout({ store, caller, snapshotId, clock, pollMs });
  try {
    for (;;) {
      // A wait may be long, and a store that is away for a moment is no end of it.
      const forMs = Math.max(0, Math.min(expiryMs, until - clock.now()));
      const patience = { clock, forMs, ...(signal === undefined ? {} : { signal: () => signal }) };
      const row = await untilAnswered(() => store.turns.read(caller, { snapshotId }, "meta"), patience);
      if (row === undefined || isOver(row.turn)) return row?.turn;
      const left = until - clock.now();
      if (left <= 0) throw tooLate(row.turn, timeoutMs ?? 0);
      await lookout.again({ signal, atMostMs: left });
    }
  } finally {
    lookout.stop();
  }
}

function isOver(turn: TurnMeta): boolean {
  const status = readStatus(turn);
  return status !== "pending" && status !== "aborting";
}

function tooLate(turn: TurnMeta, timeoutMs: number): AgentError {
  return new AgentError(
    "DEADLINE_EXCEEDED",
    `Snapshot ${turn.snapshotId} is still ${turn.status} after ${timeoutMs} ms. Wait again, or abort it.`,
    { details: { snapshotId: turn.snapshotId, status: turn.status, timeoutMs } },
  );
}
