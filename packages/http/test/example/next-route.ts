import { createAgents } from "@agents/core";
import { createMemoryStore } from "@agents/store-memory";
import { createHandler } from "../../src/index.ts";

// app/api/[...path]/route.ts of a Next application.

const agents = createAgents({ store: createMemoryStore() });
const echo = agents.defineCustomAgent({ name: "echo" }, async (session, { sendChunk }) => {
  await session.run(async (input) => {
    const text = input.message?.content[0]?.text ?? "";
    await sendChunk({ modelChunk: { content: [{ text }] } });
    session.addMessages({ role: "model", content: [{ text: `said ${text}` }] });
  });
  return session.result();
});

const handler = createHandler({ agents: [echo], basePath: "/api" });

export const dynamic = "force-dynamic";
export const GET = handler;
export const POST = handler;
export const OPTIONS = handler;
