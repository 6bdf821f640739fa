import { type Compared, compare } from "@tooling/bench";
import { type BenchDatabase, bareInsert, QUESTION } from "./bench-database.ts";

const TURNS = 128;

/** Turns of many sessions at once over ten connections, against as many inserts at once over ten. */
export async function concurrencyFigures(database: BenchDatabase): Promise<Compared[]> {
  const figures: Compared[] = [];
  for (const sessions of [1, 16, 128]) {
    const work = async (one: (session: number) => Promise<unknown>): Promise<void> => {
      const perSession = TURNS / sessions;
      const session = async (_: unknown, number: number) => {
        for (let count = 0; count < perSession; count++) await one(number);
      };
      await Promise.all(Array.from({ length: sessions }, session));
    };
    figures.push(
      await compare(
        {
          name: `turns of ${sessions} sessions at once / inserts of as many clients`,
          ours: () =>
            work((number) => database.agent.runText(QUESTION, { sessionId: `at once ${sessions} ${number}` })),
          baseline: () => work(() => bareInsert(database)),
          atMost: sessions === 1 ? 3.5 : 6,
          work: { count: TURNS, unit: "turns" },
        },
        { rounds: 5, roundMs: 150 },
      ),
    );
  }
  return figures;
}
