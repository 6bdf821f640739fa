import { type BenchDatabase, QUESTION } from "./bench-database.ts";

const TURNS = 200;

/** Counted at the server. Hints go out beside the turns, at most one in 20 ms for a whole process. */
export async function printRoundTrips({ agent, pool }: BenchDatabase): Promise<void> {
  await agent.runText(QUESTION, { sessionId: "counted at the server" });
  await pool.query("select pg_stat_statements_reset()");
  for (let turn = 0; turn < TURNS; turn++) await agent.runText(QUESTION, { sessionId: "counted at the server" });
  const { rows } = await pool.query(
    `select calls, substring(query from 'agents"\\.([a-z_]+)_[0-9]') as name, query like '%pg_notify%' as hint
       from pg_stat_statements where query like '%agents%' or query like '%pg_notify%' order by calls desc`,
  );
  const counted = rows.map(
    ({ calls, name, hint }) => `${hint ? "notify" : name} ${(Number(calls) / TURNS).toFixed(2)}`,
  );
  console.log(`calls per turn, of ${TURNS}, by pg_stat_statements: ${counted.join(", ")}\n`);
}
