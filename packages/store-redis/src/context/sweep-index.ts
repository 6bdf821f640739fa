import type { StoreContext } from "./store-context.ts";

/** How many entries a new session looks at: more than it adds, so that an index cannot grow without end. */
const ENTRIES_PER_SWEEP = 4;

/** Takes a session that expired from its index; one that is there stays. */
export async function sweepSession(store: StoreContext, scope: string, sessionId: string): Promise<void> {
  const { key, index } = store.keys.ofSession(scope, sessionId);
  await store.run("sweep", [key, index], ["-", sessionId]);
}

/** Looks at the oldest entries of a bucket. Only where sessions expire: an index itself never does. */
export async function sweepBucket(store: StoreContext, scope: string, index: string): Promise<void> {
  const oldest = await store.send(index, ["ZRANGE", index, "0", String(ENTRIES_PER_SWEEP - 1)]);
  await Promise.all((oldest as readonly string[]).map((sessionId) => sweepSession(store, scope, sessionId)));
}
