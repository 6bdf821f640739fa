import type { PatchOperation } from "@agents/schema/patch";
import { applyPatch } from "@agents/schema/patch";
import { type Compared, compare } from "@tooling/bench";
import { agentOn, type BenchDatabase, QUESTION } from "./bench-database.ts";

/** A process that holds nothing loads a session, against reading and parsing the same bytes from a table of their own. */
export async function loadFigures({ store, agent, pool }: BenchDatabase): Promise<Compared[]> {
  const figures: Compared[] = [];
  for (const messages of [1_000, 10_000]) {
    const sessionId = `loaded ${messages}`;
    for (let turn = 0; turn < messages / 2; turn++) await agent.runText(QUESTION, { sessionId });
    const { state } = await agentOn(store).getLatestSnapshot(sessionId);
    const bare = JSON.stringify(state);
    await pool.query("insert into bare values ($1, $2)", [sessionId, bare]);
    const head = (await store.index.getSession({ scope: "" }, sessionId))?.headId ?? "";
    let rows = 0;
    const figure = await compare(
      {
        name: `a session of ${messages} messages, read and put together / its JSON, read and parsed`,
        async ours() {
          const read = await store.turns.read({ scope: "" }, { snapshotId: head }, { known: [] });
          rows = read?.chain?.rows.length ?? 0;
          let value: unknown;
          for (const row of read?.chain?.rows ?? []) {
            if (row.kind === "full") value = JSON.parse(row.json);
            else if (row.kind === "patch") value = applyPatch(value, JSON.parse(row.json) as PatchOperation[]);
          }
          return value;
        },
        async baseline() {
          const query = { name: "load", text: "select content from bare where id = $1", values: [sessionId] };
          return JSON.parse((await pool.query(query)).rows[0].content);
        },
        atMost: 2,
        note: `${Math.round(bare.length / 1_000)} kB`,
      },
      { rounds: 9, roundMs: 150 },
    );
    figures.push({ ...figure, note: `${figure.note} in ${rows} rows` });
  }
  return figures;
}
