import type { Status } from "../record/record.ts";

/** Every legal move. An abort that was requested always wins: `aborting` has one way out. */
const NEXT = {
  pending: ["completed", "failed", "aborting", "aborted"],
  aborting: ["aborted"],
  completed: [],
  failed: [],
  aborted: [],
} as const satisfies Record<Status, readonly Status[]>;

export function mayMove(from: Status, to: Status): boolean {
  const next: readonly Status[] = NEXT[from];
  return next.includes(to);
}
