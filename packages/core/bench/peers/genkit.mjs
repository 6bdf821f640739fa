import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { measure } from "./measure.mjs";

// Installed elsewhere: found from that folder, not from this file's.
const require = createRequire(join(process.env["PEER_FOLDER"], "package.json"));
const { genkit, InMemorySessionStore } = await import(pathToFileURL(require.resolve("genkit/beta")).href);

const ANSWER = { role: "model", content: [{ text: "y".repeat(200) }] };
const QUESTION = { message: { role: "user", content: [{ text: "x".repeat(200) }] } };
const ai = genkit({});
const answering = ai.defineCustomAgent({ name: "answering", store: new InMemorySessionStore() }, async (session) => {
  await session.run(async () => session.addMessages([ANSWER]));
  return { message: ANSWER };
});
let chunks = 0;
const streaming = ai.defineCustomAgent(
  { name: "streaming", store: new InMemorySessionStore() },
  async (session, { sendChunk }) => {
    await session.run(async () => {
      for (let index = 0; index < chunks; index++) {
        sendChunk({ modelChunk: { role: "model", content: [{ text: "token " }] } });
      }
    });
    return { message: ANSWER };
  },
);

await measure({
  fresh: () => answering.run(QUESTION, { init: {} }),
  turn: (sessionId) => answering.run(QUESTION, { init: { sessionId: uuidOf(sessionId) } }),
  async stream(count) {
    chunks = count;
    const { stream, output } = streaming.stream(QUESTION, { init: {} });
    let read = 0;
    for await (const _ of stream) read++;
    await output;
    return read;
  },
});

/** It takes UUIDs only. */
function uuidOf(name) {
  const hex = Buffer.from(name).toString("hex").padEnd(30, "0").slice(0, 30);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(18, 30)}`;
}
