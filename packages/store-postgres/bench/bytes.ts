import { type Compared, compareFigures } from "@tooling/bench";
import { agentOn, type BenchDatabase, QUESTION } from "./bench-database.ts";

const COUNTS = [1, 10, 100, 500, 2_000];

/** What is kept of a session's states, against its state as it is in the end; the event log aside. */
export async function byteFigures({ store, agent, pool }: BenchDatabase): Promise<Compared[]> {
  const figures: Compared[] = [];
  const sessionId = "counted";
  let turns = 0;
  for (const count of COUNTS) {
    for (; turns < count; turns++) await agent.runText(QUESTION, { sessionId });
    const { rows } = await pool.query(
      `select sum(octet_length(content)) as contents, sum(pg_column_size(t.*)) as whole
         from agents.turn t where session_id = $1`,
      [sessionId],
    );
    const { state } = await agentOn(store).getLatestSnapshot(sessionId);
    figures.push(
      compareFigures({
        name: `bytes of states written in ${count} turns / of the state then`,
        ours: Number(rows[0].contents),
        baseline: Buffer.byteLength(JSON.stringify(state)),
        // A single turn's state is small beside what every row has.
        atMost: 3,
        unit: "bytes",
        note: `${Math.round(rows[0].whole / 1_000)} kB as rows on disk`,
      }),
    );
  }
  return figures;
}
