// What a program that waits for nothing but the runtime does; run by exit.test.ts.
import { AgentError } from "@agents/schema/error";
import { createMemoryStore } from "@agents/store-memory";
import { createAgents, NO_TELEMETRY } from "../src/index.ts";

const base = createMemoryStore();
let settled = 0;
const store = {
  ...base,
  turns: {
    ...base.turns,
    settle: (...args: Parameters<typeof base.turns.settle>) =>
      settled++ === 0 ? Promise.reject(new AgentError("UNAVAILABLE", "away")) : base.turns.settle(...args),
  },
};
const agents = createAgents({ store, telemetry: NO_TELEMETRY, pollMs: 20 });
const agent = agents.defineCustomAgent({ name: "a", concurrency: "queue" }, async (session) => {
  await session.run(async () => {});
});
const limited = agents.defineCustomAgent({ name: "limited", limits: { timeMs: 20 } }, async (session) => {
  await session.run(() => new Promise(() => {}));
});

/** A turn of a process that is gone. */
async function leaveTurn(): Promise<string> {
  const outcome = { status: "failed", result: '{"finishReason":"failed"}', events: [] } as const;
  await base.turns.begin(
    { scope: "" },
    {
      snapshotId: "0123abcd.left",
      agent: "a",
      from: { sessionId: "s", create: true, ifActive: "reject", ifForked: "newest" },
      resumable: ["completed"],
      writer: "w",
      input: "{}",
      leaseMs: 40,
      known: [],
      events: { firstSeq: 1, events: [] },
      lost: { pending: outcome, aborting: { ...outcome, status: "aborted" }, heads: [] },
    },
  );
  return "0123abcd.left";
}

const programs: Record<string, () => Promise<unknown>> = {
  "repeats a call": async () => (await agent.runText("x")).finishReason,
  "has a time limit": async () => (await limited.runText("x")).error?.status,
  "waits for a snapshot": async () => (await agent.waitForSnapshot(await leaveTurn())).status,
  "waits in a queue": async () => {
    await leaveTurn();
    return (await agent.runText("x", { sessionId: "s" })).finishReason;
  },
  "leaves a connection open": async () => {
    await agent.runText("x");
    await agent.connect().sendText("x");
    return "left";
  },
};

console.log(await programs[process.argv[2] ?? ""]?.());
