import type { BeginRequest, BeginResult, Caller, Lease, SettleRequest, Store } from "@agents/schema/port";

export type Begun = Extract<BeginResult, { type: "begun" }>;

export const CALLER: Caller = { scope: "tenant" };

/** A first send to a session, by one attempt of its own. */
export function beginRequest(sessionId: string, changes: Partial<BeginRequest> = {}): BeginRequest {
  const snapshotId = `00000000.${crypto.randomUUID()}`;
  return {
    snapshotId,
    agent: "agent",
    from: { sessionId, create: true, ifActive: "reject", ifForked: "newest" },
    resumable: ["completed"],
    writer: `writer of ${snapshotId}`,
    input: '{"text":"hello"}',
    leaseMs: 60_000,
    known: [],
    events: { firstSeq: 1, events: ['{"type":"started"}'] },
    lost: {
      pending: { status: "failed", result: '"lost"', events: [] },
      aborting: { status: "aborted", result: '"lost"', events: [] },
      heads: ["completed"],
    },
    ...changes,
  };
}

/** After the one event of `beginRequest`, with a state of its own. */
export function settleRequest(result = '"done"', firstSeq = 2): SettleRequest {
  const events = { firstSeq, events: ['{"type":"ended"}'] };
  return {
    pending: { status: "completed", result, events, content: stateOf('{"messages":["hello"]}') },
    aborting: { status: "aborted", result: '"stopped"', events },
    heads: ["completed"],
  };
}

export function stateOf(json: string): NonNullable<SettleRequest["pending"]["content"]> {
  const bytes = Buffer.byteLength(json);
  const figures = { stateHash: "hash", messagesDigest: "digest", stateBytes: bytes, loadBytes: bytes, loadRows: 1 };
  return { kind: "full", json, full: () => json, value: JSON.parse(json), ...figures };
}

export async function begun(store: Store, sessionId: string, caller = CALLER): Promise<Begun> {
  const result = await store.turns.begin(caller, beginRequest(sessionId));
  if (result.type !== "begun") throw new Error(`begin answered ${result.type}`);
  return result;
}

/** Begins and settles. */
export async function turn(store: Store, sessionId: string, caller = CALLER): Promise<Lease> {
  const { lease } = await begun(store, sessionId, caller);
  const settled = await store.turns.settle(caller, lease, settleRequest());
  if (!settled.ok) throw new Error("settle was refused");
  return lease;
}
