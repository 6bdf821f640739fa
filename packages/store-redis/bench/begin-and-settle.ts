import { randomUUID } from "node:crypto";
import { makeSnapshotId, sessionRoute } from "@agents/schema/hash";
import type { RedisStore } from "@agents/store-redis";
import { turnJson } from "./redis-bench.ts";

const CALLER = { scope: "" };
const FAILED = { status: "failed", result: '{"error":"lost"}', events: ['{"type":"turn.failed"}'] } as const;
const ABORTED = { status: "aborted", result: "{}", events: ['{"type":"turn.canceled"}'] } as const;
const last = new Map<string, string>();

/** The two calls that every turn makes, with the bytes of one. */
export async function beginAndSettle(store: RedisStore, sessionId: string): Promise<void> {
  const held = last.get(sessionId);
  const snapshotId = makeSnapshotId(sessionRoute(sessionId), randomUUID());
  const begun = await store.turns.begin(CALLER, {
    snapshotId,
    agent: "bench",
    from: { sessionId, create: true, ifActive: "reject", ifForked: "newest" },
    resumable: ["completed"],
    writer: snapshotId,
    input: "{}",
    leaseMs: 60_000,
    known: held === undefined ? [] : [held],
    events: { firstSeq: 1, events: ['{"type":"turn.started"}'] },
    lost: { pending: FAILED, aborting: ABORTED, heads: ["completed"] },
  });
  if (begun.type !== "begun") throw new Error(begun.type);
  const json = turnJson();
  const figures = {
    stateHash: "a".repeat(64),
    messagesDigest: "b".repeat(64),
    stateBytes: 1,
    loadBytes: 1,
    loadRows: 1,
  };
  const content = {
    kind: held === undefined ? "full" : "patch",
    json,
    full: () => json,
    value: undefined,
    ...figures,
  } as const;
  await store.turns.settle(CALLER, begun.lease, {
    pending: {
      status: "completed",
      result: "{}",
      content,
      events: { firstSeq: 2, events: ['{"type":"turn.completed"}'] },
    },
    aborting: { ...ABORTED, events: { firstSeq: 2, events: ['{"type":"turn.canceled"}'] } },
    heads: ["completed"],
  });
  last.set(sessionId, snapshotId);
}
