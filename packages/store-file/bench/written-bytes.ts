import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Compared, compareFigures } from "@tooling/bench";
import { openBench, question, TURN_BYTES } from "./agent.ts";

const MARKS = [1, 10, 100, 500, 2_000];

/** All that is in a session's files, against its final state. Nothing of it is ever written over, so it is also what was written. */
export async function writtenBytes(): Promise<Compared[]> {
  const { agent, directory, close } = openBench({ durability: "os" });
  const results: Compared[] = [];
  for (let turn = 1; turn <= Math.max(...MARKS); turn++) {
    await agent.runText(question(), { sessionId: "s" });
    if (!MARKS.includes(turn)) continue;
    const { state } = await agent.getLatestSnapshot("s");
    const bytes = bytesIn(join(directory, "sessions"));
    results.push(
      compareFigures({
        name: `bytes written after ${turn} turns of ${TURN_BYTES} B, event log aside / the final state`,
        ours: bytes.all - bytes.events,
        baseline: Buffer.byteLength(JSON.stringify(state)),
        atMost: 2,
        unit: "bytes",
        note: `event log ${Math.round(bytes.events / 1_000)} kB`,
      }),
    );
  }
  await close();
  return results;
}

const EVENT = /\t\{"turnId":[^\t\n]*/g;

function bytesIn(directory: string): { all: number; events: number } {
  const total = { all: 0, events: 0 };
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const text = readFileSync(join(entry.parentPath, entry.name), "utf8");
    total.all += Buffer.byteLength(text);
    for (const [event] of text.matchAll(EVENT)) total.events += Buffer.byteLength(event);
  }
  return total;
}
