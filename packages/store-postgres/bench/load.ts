import { type Compared, compare } from "@tooling/bench";
import { type BenchDatabase, QUESTION } from "./bench-database.ts";

/** A process that holds nothing reads a session's rows and parses them, against a query for the same bytes that knows where they are. */
export async function loadFigures({ store, agent, pool }: BenchDatabase): Promise<Compared[]> {
  const figures: Compared[] = [];
  for (const messages of [1_000, 10_000]) {
    const sessionId = `loaded ${messages}`;
    for (let turn = 0; turn < messages / 2; turn++) await agent.runText(QUESTION, { sessionId });
    const head = (await store.index.getSession({ scope: "" }, sessionId))?.headId ?? "";
    const known = { known: [] };
    const rows = (await store.turns.read({ scope: "" }, { snapshotId: head }, known))?.chain?.rows.length ?? 0;
    const name = `bare load ${messages}`;
    await pool.query(
      `create table "${name}" as select ord, content from agents.turn where session_id = '${sessionId}'`,
    );
    await pool.query(`create index on "${name}" (ord)`);
    figures.push(
      await compare(
        {
          name: `a session of ${messages} messages, read and parsed / its bytes from a table of their own`,
          async ours() {
            const read = await store.turns.read({ scope: "" }, { snapshotId: head }, known);
            return read?.chain?.rows.map((row) => ("json" in row ? JSON.parse(row.json) : undefined));
          },
          async baseline() {
            const text = `select content from "${name}" where ord > 0 order by ord`;
            return (await pool.query({ name, text })).rows.map(({ content }) => JSON.parse(content));
          },
          atMost: 2,
          note: `${rows} rows`,
        },
        { rounds: 9, roundMs: 150 },
      ),
    );
  }
  return figures;
}
