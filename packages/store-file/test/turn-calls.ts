import { makeSnapshotId, sessionRoute } from "@agents/schema/hash";
import type { BeginRequest, BeginResult, Lease, Outcome, Store } from "@agents/schema/port";

export const LEASE_MS = 60_000;

const LOST: BeginRequest["lost"] = {
  pending: { status: "failed", result: '"lost"', events: [] },
  aborting: { status: "aborted", result: '"lost"', events: [] },
  heads: [],
};

let made = 0;
export function newSnapshotId(sessionId: string): string {
  return makeSnapshotId(sessionRoute(sessionId), `${process.pid}-${made++}`);
}

export function begin(
  store: Store,
  sessionId: string,
  { scope = "", ...request }: Partial<BeginRequest> & { readonly scope?: string } = {},
): Promise<BeginResult> {
  const snapshotId = request.snapshotId ?? newSnapshotId(sessionId);
  return store.turns.begin(
    { scope },
    {
      snapshotId,
      agent: "agent",
      from: { sessionId, create: true, ifActive: "reject", ifForked: "newest" },
      resumable: ["completed"],
      writer: snapshotId,
      input: '"question"',
      leaseMs: LEASE_MS,
      known: [],
      events: { firstSeq: 1, events: [] },
      lost: LOST,
      ...request,
    },
  );
}

export async function begun(...given: Parameters<typeof begin>): Promise<Extract<BeginResult, { type: "begun" }>> {
  const result = await begin(...given);
  if (result.type !== "begun") throw new Error(`The turn was not begun: ${result.type}.`);
  return result;
}

export async function settle(
  store: Store,
  lease: Lease,
  { scope = "", ...outcome }: Partial<Outcome> & { readonly scope?: string } = {},
) {
  const events = { firstSeq: 1, events: [] };
  return await store.turns.settle({ scope }, lease, {
    pending: { status: "completed", result: '"done"', events, ...outcome },
    aborting: { status: "aborted", result: '"stopped"', events },
    heads: ["completed"],
  });
}
