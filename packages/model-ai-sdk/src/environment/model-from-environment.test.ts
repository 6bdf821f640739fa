import type { Model } from "@agents/schema/port";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { whole } from "../../test/answers.ts";
import { openaiCompatible } from "../../test/openai-compatible.ts";
import { type ProviderServer, startProviderServer } from "../../test/provider-server.ts";
import { stream } from "../../test/stream.ts";
import { modelFromEnvironment } from "./index.ts";

let server: ProviderServer;
beforeAll(async () => {
  server = await startProviderServer();
});
afterAll(() => server.close());

const fallback: Model = { name: "demo", generate: () => Promise.reject(new Error("the demo was asked")) };

describe("modelFromEnvironment", () => {
  it.each([{}, { MODEL: "", MODEL_BASE_URL: "  " }])("is the fallback where nothing is set: %j", (env) => {
    expect(modelFromEnvironment({ env, fallback })).toBe(fallback);
  });

  it("is the model at the base URL, asked with the key", async () => {
    const env = { MODEL: "gpt-x", MODEL_BASE_URL: `${server.url}/v1`, MODEL_API_KEY: "key-1" };
    const model = modelFromEnvironment({ env, fallback, fetch: server.fetch, config: { temperature: 0 } });
    expect(model.name).toBe("gpt-x");
    server.answer(whole(openaiCompatible.streamed));
    const { response } = await stream(model, { ...openaiCompatible.request, outputSchema: { type: "object" } });
    expect(response).toEqual(openaiCompatible.expected);
    const [exchange] = server.exchanges;
    expect(exchange).toMatchObject({ path: "/v1/chat/completions", headers: { authorization: "Bearer key-1" } });
    expect(exchange?.body).toMatchObject({
      model: "gpt-x",
      temperature: 0,
      stream_options: { include_usage: true },
      response_format: { type: "json_schema" },
    });
  });

  it("needs no key, and no server that takes schemas", async () => {
    const env = { MODEL: "llama", MODEL_BASE_URL: `${server.url}/v1/` };
    const model = modelFromEnvironment({ env, fallback, structuredOutputs: false });
    server.answer(({ response }) => void response.end(openaiCompatible.short.bytes));
    const { response } = await stream(model, { ...openaiCompatible.request, outputSchema: { type: "object" } });
    expect(server.exchanges[0]?.headers).not.toHaveProperty("authorization");
    expect(server.exchanges[0]?.body.response_format).toEqual({ type: "json_object" });
    expect(response.warnings).toEqual([expect.stringContaining("responseFormat")]);
  });

  it.each([
    [{ MODEL: "gpt-x" }, "MODEL is set, and MODEL_BASE_URL is not."],
    [{ MODEL_API_KEY: "key-1" }, "MODEL_API_KEY is set, and MODEL and MODEL_BASE_URL are not."],
    [
      { MODEL_BASE_URL: "http://x.test", MODEL_API_KEY: "key-1" },
      "MODEL_BASE_URL and MODEL_API_KEY are set, and MODEL is not.",
    ],
    [
      { MODEL: "gpt-x", MODEL_BASE_URL: "api.openai.com" },
      'MODEL_BASE_URL must be an http(s) URL, got "api.openai.com".',
    ],
  ])("refuses to guess where it is half set: %j", (env, message) => {
    expect(() => modelFromEnvironment({ env, fallback })).toThrow(message);
    expect(() => modelFromEnvironment({ env, fallback })).not.toThrow("key-1");
  });
});
