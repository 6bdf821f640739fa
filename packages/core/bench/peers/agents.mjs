import { createAgents } from "@agents/core";
import { createMemoryStore } from "@agents/store-memory";
import { measure } from "./measure.mjs";

const ANSWER = { role: "model", content: [{ text: "y".repeat(200) }] };
const QUESTION = "x".repeat(200);
const agents = createAgents({ store: createMemoryStore({ maxTurnsPerSession: Number.POSITIVE_INFINITY }) });
const answering = agents.defineCustomAgent({ name: "answering" }, async (session) => {
  await session.run(async () => session.addMessages(ANSWER));
  return session.result();
});
let chunks = 0;
const streaming = agents.defineCustomAgent({ name: "streaming" }, async (session, { sendChunk }) => {
  await session.run(async () => {
    for (let index = 0; index < chunks; index++) {
      await sendChunk({ modelChunk: { role: "model", content: [{ text: "token " }] } });
    }
  });
});

await measure({
  fresh: () => answering.runText(QUESTION),
  turn: (sessionId) => answering.runText(QUESTION, { sessionId }),
  async stream(count) {
    chunks = count;
    let read = 0;
    for await (const _ of streaming.streamText("go")) read++;
    return read;
  },
});
