import type { Media, Message } from "@agents/schema/agent";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { json, sse, whole } from "../test/answers.ts";
import { anthropic } from "../test/anthropic.ts";
import { asV4 } from "../test/as-v4.ts";
import { google, googleEvent } from "../test/google.ts";
import { openaiCompatible } from "../test/openai-compatible.ts";
import { type ProviderServer, startProviderServer } from "../test/provider-server.ts";
import type { Recording } from "../test/recording.ts";
import { ask, stream } from "../test/stream.ts";
import { createAiSdkModel, type LoadMedia } from "./index.ts";

let server: ProviderServer;
beforeAll(async () => {
  server = await startProviderServer();
});
afterAll(() => server.close());

const PNG = "iVBORw0KGgo=";

function show(...media: Media[]): readonly Message[] {
  return [{ role: "user", content: media.map((one) => ({ media: one })) }];
}

/** What the provider's server is sent. */
async function sent(recording: Recording, messages: readonly Message[], loadMedia?: LoadMedia, v4 = false) {
  server.answer(whole(recording.short));
  const provider = recording.model(server);
  const model = createAiSdkModel(v4 ? asV4(provider) : provider, loadMedia && { loadMedia });
  await stream(model, { messages, config: { maxOutputTokens: 100 } });
  return server.exchanges[0]?.body;
}

describe.each(["v3", "v4"])("media of a message, to a model of specification %s", (version) => {
  const v4 = version === "v4";

  it("goes out as bytes from a data URL", async () => {
    const body = await sent(anthropic, show({ url: `data:image/png;base64,${PNG}` }), undefined, v4);
    expect(body.messages[0].content).toEqual([
      { type: "image", source: { type: "base64", media_type: "image/png", data: PNG } },
    ]);
    const text = await sent(
      google,
      show({ url: "data:text/plain,K%C3%B6ln", contentType: "text/plain" }),
      undefined,
      v4,
    );
    expect(text.contents[0].parts).toEqual([{ inlineData: { mimeType: "text/plain", data: "S8O2bG4=" } }]);
  });

  it("goes out as a URL that the provider reads itself", async () => {
    const url = "https://images.test/a.png";
    const body = await sent(anthropic, show({ url, contentType: "image/png" }), refuse, v4);
    expect(body.messages[0].content).toEqual([{ type: "image", source: { type: "url", url } }]);
  });

  it("is loaded where the provider does not read the URL", async () => {
    const asked: string[] = [];
    const load: LoadMedia = async ({ url }) => {
      asked.push(url);
      return { data: Buffer.from(PNG, "base64"), contentType: "image/png" };
    };
    const body = await sent(
      openaiCompatible,
      show({ url: "artifact://a/1" }, { url: "https://images.test/a" }),
      load,
      v4,
    );
    expect(asked).toEqual(["artifact://a/1", "https://images.test/a"]);
    const part = { type: "image_url", image_url: { url: `data:image/png;base64,${PNG}` } };
    expect(body.messages[0].content).toEqual([part, part]);
  });

  it("comes in, streamed and whole, and goes back", async () => {
    const image = { inlineData: { mimeType: "image/png", data: PNG }, thoughtSignature: "c2ln" };
    const parts = [{ text: "Here:" }, image];
    const expected = [
      { text: "Here:" },
      {
        media: { url: `data:image/png;base64,${PNG}`, contentType: "image/png" },
        metadata: { providerMetadata: { google: { thoughtSignature: "c2ln" } } },
      },
    ];
    const messages: Message[] = [{ role: "user", content: [{ text: "Draw." }] }];
    const provider = google.model(server);
    const model = createAiSdkModel(v4 ? asV4(provider) : provider);
    server.answer(whole(sse([googleEvent(parts, { finishReason: "STOP" })])));
    const { response, chunks } = await stream(model, { messages });
    expect(response.message.content).toEqual(expected);
    expect(chunks.at(-1)?.content).toEqual([expected[1]]);
    server.answer(whole(json(googleEvent(parts, { finishReason: "STOP" }))));
    expect((await ask(model, { messages })).message).toEqual(response.message);

    const body = await sent(google, [...messages, response.message, ...messages], undefined, v4);
    expect(body.contents[1].parts).toEqual(parts);
  });
});

describe("a media URL", () => {
  it("of the web is left to the provider, because this process fetches none", async () => {
    const url = "http://169.254.169.254/secret.png";
    const body = await sent(openaiCompatible, show({ url }));
    expect(body.messages[0].content).toEqual([{ type: "image_url", image_url: { url } }]);
  });

  it.each(["artifact://a/1", "not a url", "data:image/png", "data:text/plain,%E0%A4%A"])(
    "that nobody can read is INVALID_ARGUMENT: %s",
    async (url) => {
      await expect(sent(openaiCompatible, show({ url }))).rejects.toMatchObject({
        status: "INVALID_ARGUMENT",
        message: expect.stringContaining(url),
      });
    },
  );

  it("that could not be loaded fails with what loadMedia threw", async () => {
    await expect(sent(openaiCompatible, show({ url: "artifact://a/1" }), refuse)).rejects.toThrow("not to be loaded");
  });
});

async function refuse(): Promise<never> {
  throw new Error("not to be loaded");
}
