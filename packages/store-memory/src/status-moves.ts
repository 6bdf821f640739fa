import type { TurnMeta } from "@agents/schema/port";

export type StoredStatus = TurnMeta["status"];
export type LiveStatus = "pending" | "aborting";
export type FinalStatus = Exclude<StoredStatus, LiveStatus>;

/** Every legal move. An abort that was requested always wins: `aborting` has one way out. */
const NEXT = {
  pending: ["completed", "failed", "aborting", "aborted"],
  aborting: ["aborted"],
  completed: [],
  failed: [],
  aborted: [],
} as const satisfies Record<StoredStatus, readonly StoredStatus[]>;

export function mayMove(from: StoredStatus, to: StoredStatus): boolean {
  const next: readonly StoredStatus[] = NEXT[from];
  return next.includes(to);
}

/** A status with a way out of it. */
export function isLive(status: StoredStatus): status is LiveStatus {
  return NEXT[status].length > 0;
}
