import { type Compared, compare } from "@tooling/bench";
import { type BenchDatabase, bareInsert, QUESTION } from "./bench-database.ts";

const CALLS = 20;

/** One turn of an agent, young and after a thousand, against one insert of what it said. */
export async function turnFigures(database: BenchDatabase): Promise<Compared[]> {
  const { agent } = database;
  const figures: Compared[] = [];
  let turns = 0;
  for (const after of [10, 1_000]) {
    while (turns < after) {
      await agent.runText(QUESTION, { sessionId: "grown" });
      turns++;
    }
    const figure = await compare(
      {
        name: `a turn after ${after} of its session / a bare prepared insert`,
        async ours() {
          for (let call = 0; call < CALLS; call++) await agent.runText(QUESTION, { sessionId: "grown" });
        },
        async baseline() {
          for (let call = 0; call < CALLS; call++) await bareInsert(database);
        },
        atMost: 3.5,
        note: `${CALLS} of each`,
      },
      { rounds: 9, roundMs: 150 },
    );
    figures.push(figure);
  }
  return figures;
}
