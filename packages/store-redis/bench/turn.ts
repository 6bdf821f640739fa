import { type Compared, type Comparison, compareFigures } from "@tooling/bench";
import { beginAndSettle } from "./begin-and-settle.ts";
import { inTurn, QUESTION, type RedisBench, turnJson } from "./redis-bench.ts";

const TURNS = 50;

/** One turn through the runtime against the command that would store the same bytes and nothing else. */
export async function turnComparisons({ agent, client, store, prefix }: RedisBench): Promise<Comparison[]> {
  for (let turn = 0; turn < 1_000; turn++) await agent.runText(QUESTION, { sessionId: "grown" });
  for (let turn = 0; turn < 10; turn++) await agent.runText(QUESTION, { sessionId: "young" });
  const bare = turnJson();
  let number = 0;
  const xadd = () => inTurn(TURNS, () => client.sendCommand(["XADD", `${prefix}bare`, "*", "turn", bare]));
  return [
    {
      name: "one turn through the runtime / a bare XADD of the same bytes",
      ours: () => inTurn(TURNS, () => agent.runText(QUESTION, { sessionId: `fresh ${number++ % 100}` })),
      baseline: xadd,
      atMost: 3.5,
      work: { count: TURNS, unit: "turns" },
    },
    {
      name: "the same, without the runtime: begin and settle",
      ours: () => inTurn(TURNS, () => beginAndSettle(store, `bare ${number++ % 100}`)),
      baseline: xadd,
      atMost: 3.5,
      work: { count: TURNS, unit: "turns" },
    },
    {
      name: "a turn after 1,000 turns / after 10",
      ours: () => inTurn(TURNS, () => agent.runText(QUESTION, { sessionId: "grown" })),
      baseline: () => inTurn(TURNS, () => agent.runText(QUESTION, { sessionId: "young" })),
      atMost: 1.5,
      work: { count: TURNS, unit: "turns" },
    },
  ];
}

/** Turns of as many sessions at once, each waiting for the one before it. */
export async function concurrentFigures({ agent, client, prefix }: RedisBench): Promise<Compared[]> {
  const bare = turnJson();
  const figures: Compared[] = [];
  for (const sessions of [1, 16, 128]) {
    const turns = Math.max(1, Math.floor(1_500 / sessions));
    const each = (run: (session: number) => Promise<unknown>) => timePerCall(sessions, turns, run);
    const send = (session: number) => client.sendCommand(["XADD", `${prefix}bare ${session}`, "*", "turn", bare]);
    const turn = (session: number) => agent.runText(QUESTION, { sessionId: `${sessions} at once ${session}` });
    await each(turn);
    figures.push(
      compareFigures({
        name: `turns of ${sessions} sessions at once / XADD of as many at once`,
        ours: await each(turn),
        baseline: await each(send),
        atMost: sessions === 1 ? 3.5 : Number.POSITIVE_INFINITY,
        work: { count: 1, unit: "turns" },
      }),
    );
  }
  return figures;
}

/** What the server counts: a turn is two commands, and one more for each batch of events between. */
export async function roundTrips({ agent, client }: RedisBench): Promise<Compared> {
  const turns = 100;
  await client.configResetStat();
  for (let turn = 0; turn < turns; turn++) await agent.runText(QUESTION, { sessionId: "counted" });
  const stats = await client.info("commandstats");
  const calls = Number(/cmdstat_evalsha:calls=(\d+)/.exec(stats)?.[1]);
  return {
    name: "commands of a turn, as the server counts them (not µs)",
    ours: calls / turns,
    baseline: 1,
    ratio: calls / turns,
    atMost: 2.1,
  };
}

async function timePerCall(sessions: number, turns: number, run: (session: number) => Promise<unknown>) {
  const started = performance.now();
  await Promise.all(
    Array.from({ length: sessions }, async (_, session) => {
      for (let turn = 0; turn < turns; turn++) await run(session);
    }),
  );
  return ((performance.now() - started) * 1_000) / (sessions * turns);
}
