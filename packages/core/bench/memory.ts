import { createAgents } from "@agents/core";
import { createMemoryStore } from "@agents/store-memory";
import { type Compared, compareFigures } from "@tooling/bench";

const TURNS = 1_000;
const CHARACTERS = 400;

/** What a long session takes in memory: every snapshot of it can still be branched from. */
export async function memoryFigures(): Promise<Compared> {
  const store = createMemoryStore({ maxTurnsPerSession: Number.POSITIVE_INFINITY, maxEvents: 1 });
  const agent = createAgents({ store }).defineCustomAgent({ name: "a" }, async (session) => {
    await session.run(async () => session.addMessages({ role: "model", content: [{ text: text("y") }] }));
    return session.result();
  });
  await agent.runText("warm up");
  const before = await usedHeap();
  for (let turn = 0; turn < TURNS; turn++) await agent.runText(text("x"), { sessionId: "s" });
  const after = await usedHeap();
  const { state } = await agent.getLatestSnapshot("s");
  const serialised = Buffer.byteLength(JSON.stringify(state));
  return compareFigures({
    name: `heap after ${TURNS} turns of one session, messages of ${CHARACTERS} characters / its JSON`,
    ours: after - before,
    baseline: serialised,
    atMost: 3,
    unit: "bytes",
    note: `${(await agent.listSnapshots({ sessionId: "s", limit: 1000 })).snapshots.length} snapshots`,
  });
}

/** Its own characters: `repeat` makes a rope that shares one letter. */
let made = 0;
function text(letter: string): string {
  return Buffer.from(`${made++} ${letter.repeat(CHARACTERS)}`.slice(0, CHARACTERS)).toString("latin1");
}

async function usedHeap(): Promise<number> {
  // Twice, with a turn of the event queue between: what finalizers held is gone then.
  for (let round = 0; round < 2; round++) {
    globalThis.gc?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}
