/** What a turn continues: the head of a session, subject to its concurrency rule, or exactly one snapshot. */
export type TurnOrigin =
  | { readonly type: "session"; readonly sessionId: string }
  | { readonly type: "branch"; readonly snapshotId: string; readonly sessionId?: string };
