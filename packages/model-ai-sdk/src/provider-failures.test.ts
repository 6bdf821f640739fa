import { AgentError } from "@agents/schema/error";
import type { Model } from "@agents/schema/port";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Body, begin, failure, sse, whole } from "../test/answers.ts";
import { anthropicEvents } from "../test/anthropic.ts";
import { googleEvent } from "../test/google.ts";
import { openaiChunk, openaiCompatible } from "../test/openai-compatible.ts";
import { type Answering, type ProviderServer, startProviderServer } from "../test/provider-server.ts";
import { RECORDINGS } from "../test/recordings.ts";
import { ask, stream } from "../test/stream.ts";
import { createAiSdkModel } from "./index.ts";

let server: ProviderServer;
beforeAll(async () => {
  server = await startProviderServer();
});
afterAll(() => server.close());

/** The same error in each provider's words. */
const ERROR_BODY: Readonly<Record<string, (message: string) => object>> = {
  "openai-compatible": (message) => ({ error: { message, type: "some_error", code: "some_code" } }),
  anthropic: (message) => ({ type: "error", error: { type: "some_error", message } }),
  google: (message) => ({ error: { code: 400, message, status: "SOME_STATUS" } }),
};

async function refusalOf(call: Promise<unknown>): Promise<AgentError> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(AgentError.is(error), `an AgentError, got ${String(error)}`).toBe(true);
  return error as AgentError;
}

describe.each(RECORDINGS)("a failure of $provider", ({ provider, model: connect, request }) => {
  let model: Model;
  beforeAll(() => {
    model = createAiSdkModel(connect(server));
  });
  const says = (message: string): object => ERROR_BODY[provider]?.(message) ?? {};

  /** Streamed and not. */
  async function refusals(answering: Answering): Promise<AgentError> {
    server.answer(answering);
    const whole = await refusalOf(ask(model, request));
    const streamed = await refusalOf(stream(model, request));
    expect(streamed).toMatchObject({ status: whole.status, message: whole.message, details: whole.details });
    return whole;
  }

  it.each([
    [400, "INVALID_ARGUMENT"],
    [402, "FAILED_PRECONDITION"],
    [404, "NOT_FOUND"],
    [408, "UNAVAILABLE"],
    [409, "UNAVAILABLE"],
    [413, "INVALID_ARGUMENT"],
    [422, "INVALID_ARGUMENT"],
    [429, "RESOURCE_EXHAUSTED"],
    [500, "UNAVAILABLE"],
    [503, "UNAVAILABLE"],
    [529, "UNAVAILABLE"],
  ] as const)("of HTTP %i is %s, with the provider's words", async (http, status) => {
    const error = await refusals(failure(http, says("too many cats")));
    expect(error).toMatchObject({ status, message: expect.stringContaining("too many cats") });
    expect(error.details).toMatchObject({ model: model.name, httpStatus: http });
  });

  it.each([
    [401, "UNAUTHENTICATED"],
    [403, "PERMISSION_DENIED"],
  ] as const)("of HTTP %i is %s, and does not quote what may hold the key", async (http, status) => {
    const error = await refusals(failure(http, says("Incorrect API key provided: key-1")));
    expect(error.status).toBe(status);
    expect(error.message).toContain("Check the API key");
    expect(error.message + JSON.stringify(error.details)).not.toContain("key-1");
    expect(String(error.cause)).toContain("key-1");
  });

  it.each([
    ["seconds", { "retry-after": "7" }, 7_000],
    ["milliseconds, which are exacter", { "retry-after": "8", "retry-after-ms": "7250" }, 7_250],
    [
      "a date, by the provider's clock",
      { date: "Tue, 05 Mar 2019 10:00:00 GMT", "retry-after": "Tue, 05 Mar 2019 10:01:30 GMT" },
      90_000,
    ],
    ["nothing that can be read", { "retry-after": "soon" }, undefined],
  ])("with a rate limit says how long to wait, given as %s", async (_form, headers, expected) => {
    const error = await refusals(failure(429, says("slow down"), headers as unknown as Record<string, string>));
    expect((error.details as { retryAfterMs?: number }).retryAfterMs).toBe(expected);
  });

  it("with an overload says how long to wait, too", async () => {
    const error = await refusals(failure(503, says("busy"), { "retry-after": "2" }));
    expect(error).toMatchObject({ status: "UNAVAILABLE", details: { retryAfterMs: 2_000 } });
  });

  it("that is no JSON of the provider's is told by its HTTP status", async () => {
    const error = await refusals(failure(502, "<html>Bad Gateway</html>"));
    expect(error).toMatchObject({ status: "UNAVAILABLE", details: { httpStatus: 502 } });
  });

  it("to answer with what the protocol knows is UNAVAILABLE", async () => {
    server.answer(whole({ contentType: "application/json", bytes: Buffer.from('{"never": "heard of"') }));
    expect((await refusalOf(ask(model, request))).status).toBe("UNAVAILABLE");
    server.answer(whole({ contentType: "text/event-stream", bytes: Buffer.from("data: {not json}\n\n") }));
    expect((await refusalOf(stream(model, request))).status).toBe("UNAVAILABLE");
    server.answer(whole({ contentType: "text/event-stream", bytes: Buffer.from("data: [1, 2]\n\n") }));
    expect((await refusalOf(stream(model, request))).status).toBe("UNAVAILABLE");
    server.answer(whole({ contentType: "text/event-stream", bytes: Buffer.alloc(0) }));
    expect((await refusalOf(stream(model, request))).status).toBe("UNAVAILABLE");
  });

  it("to answer at all is UNAVAILABLE", async () => {
    const error = await refusals(({ response }) => void response.socket?.destroy());
    expect(error).toMatchObject({ status: "UNAVAILABLE", message: expect.stringContaining("could not be reached") });
  });

  it("to listen is UNAVAILABLE", async () => {
    const gone = await startProviderServer();
    const model = createAiSdkModel(connect(gone));
    await gone.close();
    expect((await refusalOf(ask(model, request))).status).toBe("UNAVAILABLE");
    expect((await refusalOf(stream(model, request))).status).toBe("UNAVAILABLE");
  });
});

describe("an error within a stream", () => {
  const half = { "openai-compatible": openaiChunk({ content: "ha" }), google: googleEvent([{ text: "ha" }]) };
  const { opening, text } = anthropicEvents;
  const anthropicError = (type: string): Body =>
    sse([opening, ...text("ha").slice(0, 2), { type: "error", error: { type, message: "Oh." } }], { named: true });

  it.each([
    [
      "openai-compatible",
      sse([half["openai-compatible"], { error: { message: "Oh.", type: "server_error" } }]),
      "UNAVAILABLE",
    ],
    [
      "openai-compatible",
      sse([half["openai-compatible"], { error: { message: "Oh.", code: "rate_limit_exceeded" } }]),
      "RESOURCE_EXHAUSTED",
    ],
    [
      "openai-compatible",
      sse([half["openai-compatible"], { error: { message: "Oh.", code: 429 } }]),
      "RESOURCE_EXHAUSTED",
    ],
    ["anthropic", anthropicError("overloaded_error"), "UNAVAILABLE"],
    ["anthropic", anthropicError("rate_limit_error"), "RESOURCE_EXHAUSTED"],
    ["anthropic", anthropicError("invalid_request_error"), "INVALID_ARGUMENT"],
    ["google", sse([half.google, { error: { code: 503, message: "Oh.", status: "UNAVAILABLE" } }]), "UNAVAILABLE"],
    [
      "google",
      sse([
        half.google,
        {
          error: {
            code: 429,
            message: "Oh.",
            status: "RESOURCE_EXHAUSTED",
            details: [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "34.5s" }],
          },
        },
      ]),
      "RESOURCE_EXHAUSTED",
    ],
    [
      "anthropic",
      sse([{ type: "error", error: { type: "rate_limit_error", message: "Oh." } }], { named: true }),
      "RESOURCE_EXHAUSTED",
    ],
  ] as const)("of %s is told by the provider's word for it (%#)", async (provider, body, status) => {
    const recording = RECORDINGS.find((one) => one.provider === provider) ?? openaiCompatible;
    server.answer(whole(body));
    const error = await refusalOf(stream(createAiSdkModel(recording.model(server)), recording.request));
    expect(error).toMatchObject({ status, message: expect.stringContaining("Oh.") });
    if (body.bytes.includes("retryDelay")) expect(error.details).toMatchObject({ retryAfterMs: 34_500 });
  });

  it("lets go of the connection", async () => {
    let closed: Promise<void> | undefined;
    server.answer((exchange) => {
      closed = exchange.closed;
      begin(exchange, { contentType: "text/event-stream" });
      exchange.response.write('data: {"error":{"message":"Oh."}}\n\n');
    });
    await refusalOf(stream(createAiSdkModel(openaiCompatible.model(server)), openaiCompatible.request));
    await closed;
  });
});
