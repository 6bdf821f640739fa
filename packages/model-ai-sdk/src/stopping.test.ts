import { setImmediate } from "node:timers/promises";
import type { ModelChunk } from "@agents/schema/agent";
import type { Model } from "@agents/schema/port";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Body, begin, sse } from "../test/answers.ts";
import { anthropicEvents } from "../test/anthropic.ts";
import { googleEvent } from "../test/google.ts";
import { openaiChunk, openaiCompatible } from "../test/openai-compatible.ts";
import { type ProviderServer, startProviderServer } from "../test/provider-server.ts";
import { RECORDINGS } from "../test/recordings.ts";
import { ask, stream } from "../test/stream.ts";
import { createAiSdkModel } from "./index.ts";

let server: ProviderServer;
beforeAll(async () => {
  server = await startProviderServer();
});
afterAll(() => server.close());

/** The first words of an answer whose rest never comes. */
const FIRST_WORDS: Readonly<Record<string, Body>> = {
  "openai-compatible": sse([openaiChunk({ content: "Well," })]),
  anthropic: sse([anthropicEvents.opening, ...anthropicEvents.text("Well,").slice(0, 2)], { named: true }),
  google: sse([googleEvent([{ text: "Well," }])]),
};

/** Answers with the first words and stays open; what it returns resolves when the client closed the connection. */
function answerForever(body: Body | undefined): Promise<void> {
  return new Promise((resolve) => {
    server.answer((exchange) => {
      void exchange.closed.then(resolve);
      if (body === undefined) return;
      begin(exchange, body);
      exchange.response.write(body.bytes);
    });
  });
}

describe.each(RECORDINGS)("a call of $provider", ({ provider, model: connect, request }) => {
  const reason = new Error("the user left");
  let model: Model;
  beforeAll(() => {
    model = createAiSdkModel(connect(server));
  });

  it("that is aborted in mid-answer rejects with the reason, and the server sees the connection close", async () => {
    const closed = answerForever(FIRST_WORDS[provider]);
    const controller = new AbortController();
    const chunks: ModelChunk[] = [];
    const call = model.generate(request, {
      signal: controller.signal,
      sendChunk: async (chunk) => {
        chunks.push(chunk);
        controller.abort(reason);
      },
    });
    await expect(call).rejects.toBe(reason);
    await closed;
    expect(chunks).toEqual([{ role: "model", content: [{ text: "Well," }] }]);
  });

  it("that is aborted while its reader is stuck does not wait for it", async () => {
    const closed = answerForever(FIRST_WORDS[provider]);
    const controller = new AbortController();
    const call = model.generate(request, {
      signal: controller.signal,
      sendChunk: () => {
        controller.abort(reason);
        return new Promise(() => {});
      },
    });
    await expect(call).rejects.toBe(reason);
    await closed;
  });

  it("that is aborted lets go of the connection, even if the provider's package does not heed the signal", async () => {
    const closed = answerForever(FIRST_WORDS[provider]);
    const deaf: typeof fetch = (input, init) => server.fetch(input, { ...init, signal: null });
    const controller = new AbortController();
    const call = createAiSdkModel(connect({ url: server.url, fetch: deaf })).generate(request, {
      signal: controller.signal,
      sendChunk: () => {
        controller.abort(reason);
        return new Promise(() => {});
      },
    });
    await expect(call).rejects.toBe(reason);
    await closed;
  });

  it.each([true, false])(
    "that is aborted before the answer begins rejects with the reason (streamed: %s)",
    async (streamed) => {
      const controller = new AbortController();
      const closed = new Promise<void>((resolve) => {
        server.answer((exchange) => {
          void exchange.closed.then(resolve);
          controller.abort(reason);
        });
      });
      const sendChunk = async (): Promise<void> => {};
      const call = model.generate(request, { signal: controller.signal, ...(streamed && { sendChunk }) });
      await expect(call).rejects.toBe(reason);
      await closed;
    },
  );

  it("whose signal has fired already asks nobody", async () => {
    server.answer(() => {});
    await expect(model.generate(request, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(server.exchanges).toHaveLength(0);
  });

  it("whose reader fails rejects with what the reader threw, and lets go of the connection", async () => {
    const closed = answerForever(FIRST_WORDS[provider]);
    const { signal } = new AbortController();
    const sendChunk = (): Promise<void> => Promise.reject(reason);
    await expect(model.generate(request, { signal, sendChunk })).rejects.toBe(reason);
    await closed;
  });
});

describe("a slow reader", () => {
  it("gets one piece at a time, and slows the provider down", { timeout: 60_000 }, async () => {
    const event = Buffer.from(`data: ${JSON.stringify(openaiChunk({ content: "x".repeat(64_000) }))}\n\n`);
    const events = 400;
    let taken = 0;
    server.answer(async (exchange) => {
      begin(exchange, { contentType: "text/event-stream" });
      for (let i = 0; i < events; i++) exchange.response.write(event);
      exchange.response.end(`data: ${JSON.stringify(openaiChunk({}, "stop"))}\n\n`);
      for (; taken < events; taken++) await exchange.delivered((taken + 1) * event.length);
    });
    const { signal } = new AbortController();
    let reading = 0;
    let text = 0;
    const sendChunk = async ({ content }: ModelChunk): Promise<void> => {
      expect(++reading).toBe(1);
      if (text === 0) for (let turn = 0; turn < 1_000; turn++) await setImmediate();
      if (text === 0) expect(taken).toBeLessThan(events / 4);
      text += content[0]?.text?.length ?? 0;
      reading--;
    };
    const model = createAiSdkModel(openaiCompatible.model(server));
    const { message } = await model.generate(openaiCompatible.request, { signal, sendChunk });
    expect(text).toBe(events * 64_000);
    expect(message.content[0]?.text).toHaveLength(text);
  });
});

describe("the option stream", () => {
  it("streams only if somebody reads, or always", async () => {
    const { model, request, whole, streamed, expected } = openaiCompatible;
    server.answer(({ body, response }) => {
      const answer = body.stream === true ? streamed : whole;
      response.writeHead(200, { "content-type": answer.contentType }).end(answer.bytes);
    });
    const always = createAiSdkModel(model(server), { stream: "always" });
    const whenRead = createAiSdkModel(model(server));
    expect(await ask(whenRead, request)).toEqual(expected);
    expect(await ask(always, request)).toEqual(expected);
    await stream(whenRead, request);
    expect(server.exchanges.map(({ body }) => body.stream === true)).toEqual([false, true, true]);
  });
});
