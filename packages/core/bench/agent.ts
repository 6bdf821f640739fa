import { type Agent, createAgents } from "@agents/core";
import { createMemoryStore } from "@agents/store-memory";
import type { Comparison } from "@tooling/bench";

const TURNS = 100;
const CHUNKS = 10_000;
const ANSWER = { role: "model" as const, content: [{ text: "y".repeat(200) }] };
const QUESTION = "x".repeat(200);

/** A turn's cost must not grow with the conversation, and a fresh session must be cheap. */
export async function agentComparisons(): Promise<Comparison[]> {
  const { agent, clientManaged, streaming, carried } = defineAgents();
  const grown = "grown";
  for (let turn = 0; turn < 1_000; turn++) await agent.runText(QUESTION, { sessionId: grown });
  const young = Array.from({ length: TURNS }, (_, index) => `young ${index}`);
  for (const sessionId of young) for (let turn = 0; turn < 10; turn++) await agent.runText(QUESTION, { sessionId });

  return [
    {
      name: "a turn after 1,000 turns / after 10",
      ours: () => inTurn(TURNS, () => agent.runText(QUESTION, { sessionId: grown })),
      baseline: () => inTurn(TURNS, (index) => agent.runText(QUESTION, { sessionId: young[index] as string })),
      atMost: 1.5,
      work: { count: TURNS, unit: "turns" },
    },
    {
      name: "fresh one-turn sessions, memory store / the same without a runtime",
      ours: () => inTurn(TURNS, () => agent.runText(QUESTION)),
      baseline: () => inTurn(TURNS, () => bareTurn()),
      atMost: 40,
      work: { count: TURNS, unit: "sessions" },
    },
    {
      name: "fresh one-turn sessions, state carried by the client / the same",
      ours: () => inTurn(TURNS, () => clientManaged.runText(QUESTION)),
      baseline: () => inTurn(TURNS, () => bareTurn()),
      atMost: 40,
      work: { count: TURNS, unit: "sessions" },
    },
    {
      name: "chunks through a turn, no log / a bare async generator",
      ours: () => drain(carried.streamText("go")),
      baseline: () => drain(generate()),
      atMost: 10,
      work: { count: CHUNKS, unit: "chunks" },
    },
    {
      name: "chunks through a turn, logged in memory / the same",
      ours: () => drain(streaming.streamText("go")),
      baseline: () => drain(generate()),
      atMost: 10,
      work: { count: CHUNKS, unit: "chunks" },
    },
  ];
}

function defineAgents() {
  const store = createMemoryStore({ maxTurnsPerSession: Number.POSITIVE_INFINITY, maxEvents: 200_000 });
  const agents = createAgents({ store });
  const answering = (name: string, options: { stateManagement?: "client" } = {}): Agent =>
    agents.defineCustomAgent({ name, ...options }, async (session) => {
      await session.run(async () => session.addMessages(ANSWER));
      return session.result();
    });
  const streaming = (name: string, options: { stateManagement?: "client" } = {}): Agent =>
    agents.defineCustomAgent({ name, ...options }, async (session, { sendChunk }) => {
      await session.run(async () => {
        for (let index = 0; index < CHUNKS; index++) {
          await sendChunk({ modelChunk: { role: "model", content: [{ text: "token " }] } });
        }
      });
    });
  return {
    agent: answering("stored"),
    clientManaged: answering("carried", { stateManagement: "client" }),
    streaming: streaming("streaming"),
    carried: streaming("streaming-carried", { stateManagement: "client" }),
  };
}

async function inTurn(count: number, run: (index: number) => Promise<unknown>): Promise<void> {
  for (let index = 0; index < count; index++) await run(index);
}

/** What any runtime has to do at least: keep the messages of a new session under a new id, as text. */
const bareSessions = new Map<string, string>();
async function bareTurn(): Promise<unknown> {
  const sessionId = crypto.randomUUID();
  const messages = [{ role: "user", content: [{ text: QUESTION }] }, ANSWER];
  bareSessions.set(sessionId, JSON.stringify({ sessionId, messages, artifacts: [] }));
  if (bareSessions.size > 1_000) bareSessions.clear();
  return { sessionId, message: ANSWER };
}

async function* generate() {
  for (let index = 0; index < CHUNKS; index++) {
    yield { modelChunk: { role: "model", content: [{ text: "token " }] } };
  }
}

async function drain(stream: AsyncIterable<unknown>): Promise<number> {
  let count = 0;
  for await (const _ of stream) count++;
  return count;
}
