import type { StoreTime } from "@agents/schema/port";
import { turnChanged } from "./session-table.ts";
import type { Tables, TurnRow } from "./tables.ts";

/** Asks the worker of a live turn to stop. A repeated request changes nothing. */
export function markAborting(tables: Tables, turn: TurnRow, now: StoreTime): void {
  if (turn.status !== "pending") return;
  turn.status = "aborting";
  turn.version++;
  turn.updatedAt = now;
  turnChanged(tables, turn);
}
