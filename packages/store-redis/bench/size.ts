import { type Compared, compareFigures } from "@tooling/bench";
import { QUESTION, type RedisBench } from "./redis-bench.ts";

/** What a conversation takes, records, lineage and events included, against its state as JSON. */
export async function sizeFigures({ agent, client }: RedisBench): Promise<Compared[]> {
  const figures: Compared[] = [];
  let turns = 0;
  const before = await used(client);
  for (const wanted of [1, 10, 100, 500, 2_000]) {
    for (; turns < wanted; turns++) await agent.runText(QUESTION, { sessionId: "sized" });
    const { key, states } = await statesOf(client, "sized");
    const { state } = await agent.getLatestSnapshot("sized");
    const json = Buffer.byteLength(JSON.stringify(state));
    const kept = Number(await client.sendCommand(["MEMORY", "USAGE", key, "SAMPLES", "0"]));
    figures.push(
      compareFigures({
        name: `states written in ${wanted} turns / the last state as JSON`,
        ours: states,
        baseline: json,
        atMost: wanted < 100 ? 4 : 2,
        unit: "bytes",
        note: `${Math.round(kept / 1_000)} kB of memory with records and events`,
      }),
    );
  }
  if ((await used(client)) < before) throw new Error("the server lost something on the way");
  return figures;
}

/** Finds the session's key by what is in it: the bench has the server to itself. */
async function statesOf(client: RedisBench["client"], sessionId: string): Promise<{ key: string; states: number }> {
  for await (const keys of client.scanIterator({ TYPE: "hash" })) {
    for (const key of keys) {
      if (!(await client.hExists(key, `@${sessionId}`))) continue;
      let states = 0;
      for await (const fields of client.hScanIterator(key, { COUNT: 1_000 })) {
        for (const { field, value } of fields) if (/^s.{8}\.\d+$/.test(field)) states += Buffer.byteLength(value);
      }
      return { key, states };
    }
  }
  throw new Error(`session ${sessionId} is nowhere`);
}

async function used(client: RedisBench["client"]): Promise<number> {
  return Number(/used_memory:(\d+)/.exec(await client.info("memory"))?.[1]);
}
