import type { ModelChunk } from "@agents/schema/agent";
import type { ModelRequest } from "@agents/schema/port";
import { describe, expect, it } from "vitest";
import { createScriptedModel, textReply } from "./scripted-model.ts";

const REQUEST: ModelRequest = { messages: [{ role: "user", content: [{ text: "hi" }] }] };
const { signal } = new AbortController();

describe("createScriptedModel", () => {
  it("answers step by step, and keeps each request as it was", async () => {
    const model = createScriptedModel([
      textReply("one"),
      (request) => textReply(`${request.messages.length} messages`),
    ]);
    const messages = [...REQUEST.messages];
    const first = await model.generate({ messages }, { signal });
    messages.push(first.message);
    const second = await model.generate({ messages }, { signal });
    expect(first).toMatchObject({ finishReason: "stop", message: { role: "model", content: [{ text: "one" }] } });
    expect(second.message.content).toEqual([{ text: "2 messages" }]);
    expect(model.requests.map((request) => request.messages.length)).toEqual([1, 2]);
    expect(model.remaining).toBe(0);
  });

  it("streams the chunks of a step one by one, waiting for the reader", async () => {
    const model = createScriptedModel([textReply("ab", ["a", "b"])]);
    const chunks: ModelChunk[] = [];
    let reading = false;
    const sendChunk = async (chunk: ModelChunk): Promise<void> => {
      expect(reading).toBe(false);
      reading = true;
      await Promise.resolve();
      reading = false;
      chunks.push(chunk);
    };
    await model.generate(REQUEST, { signal, sendChunk });
    expect(chunks.map(({ content }) => content)).toEqual([[{ text: "a" }], [{ text: "b" }]]);
  });

  it("rejects with the error of a step, after its chunks, and goes on with the next", async () => {
    const error = new Error("overloaded");
    const model = createScriptedModel([{ error, chunks: [{ content: [{ text: "half" }] }] }, textReply("fine")]);
    let chunks = 0;
    const sendChunk = async (): Promise<void> => {
      chunks += 1;
    };
    await expect(model.generate(REQUEST, { signal, sendChunk })).rejects.toBe(error);
    expect(chunks).toBe(1);
    await expect(model.generate(REQUEST, { signal })).resolves.toMatchObject({ finishReason: "stop" });
  });

  it("names the call that the script has no step for", async () => {
    const model = createScriptedModel([textReply("only one")], { name: "tiny" });
    await model.generate(REQUEST, { signal });
    await expect(model.generate(REQUEST, { signal })).rejects.toMatchObject({
      status: "FAILED_PRECONDITION",
      message:
        "Model tiny was called for the 2nd time, and its script has 1 step; add step 2, or find out why it was called.",
      details: { call: 2, steps: 1 },
    });
  });

  it("rejects with the signal's reason: before, while a step is made, and between chunks", async () => {
    const reason = new Error("stopped");
    const never = new Promise<never>(() => {});
    const model = createScriptedModel([textReply("x"), () => never, textReply("x", ["a", "b"]), textReply("x", ["a"])]);
    await expect(model.generate(REQUEST, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);

    const waiting = new AbortController();
    const answer = model.generate(REQUEST, { signal: waiting.signal });
    waiting.abort(reason);
    await expect(answer).rejects.toBe(reason);

    const streaming = new AbortController();
    const sent: ModelChunk[] = [];
    const sendChunk = async (chunk: ModelChunk): Promise<void> => {
      sent.push(chunk);
      streaming.abort(reason);
    };
    await expect(model.generate(REQUEST, { signal: streaming.signal, sendChunk })).rejects.toBe(reason);
    expect(sent).toHaveLength(1);

    const slow = new AbortController();
    const stuck = model.generate(REQUEST, { signal: slow.signal, sendChunk: () => never });
    slow.abort(reason);
    await expect(stuck).rejects.toBe(reason);
  });
});
