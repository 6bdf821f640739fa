import { AgentError } from "@agents/schema/error";
import type { Model } from "@agents/schema/port";
import { createManualClock, createScriptedModel, type ScriptedStep, textReply } from "@agents/testing";
import { describe, expect, it } from "vitest";
import { createWorld, model as says } from "../../test/agent-world.ts";
import { fallbackModel, generate, type ModelMiddleware, priceModel, type RetryOptions, retryModel } from "../index.ts";

const away = (details?: unknown): ScriptedStep => ({ error: new AgentError("UNAVAILABLE", "away", { details }) });
const denied: ScriptedStep = { error: new AgentError("UNAUTHENTICATED", "no key") };

function retrying(script: readonly ScriptedStep[], options: RetryOptions = {}) {
  const clock = createManualClock();
  const model = createScriptedModel(script);
  const waits: number[] = [];
  const watched = {
    ...clock,
    setTimer(ms: number, run: () => void) {
      waits.push(ms);
      return clock.setTimer(0, run);
    },
  };
  const use = [retryModel({ clock: watched, random: () => 1, ...options })];
  const run = async () => {
    const response = generate({ model, prompt: "go", use });
    response.catch(() => {});
    for (let turn = 0; turn < 20; turn++) await clock.advance(1);
    return response;
  };
  return { run, model, waits };
}

describe("retries", () => {
  it("ask again with growing waits", async () => {
    const { run, waits } = retrying([away(), away(), textReply("ok")]);
    expect((await run()).text).toBe("ok");
    expect(waits).toEqual([500, 1_000]);
  });

  it("give up after so many attempts, with the last error", async () => {
    const { run, model } = retrying([away(), away(), away(), textReply("late")]);
    await expect(run()).rejects.toMatchObject({ status: "UNAVAILABLE" });
    expect(model.requests).toHaveLength(3);
  });

  it("wait as long as the provider said, and do not ask when that is too long", async () => {
    const patient = retrying([away({ retryAfterMs: 7_000 }), textReply("ok")]);
    expect((await patient.run()).text).toBe("ok");
    expect(patient.waits).toEqual([7_000]);
    const hurried = retrying([away({ retryAfterMs: 7_000 }), textReply("ok")], { maxDelayMs: 5_000 });
    await expect(hurried.run()).rejects.toMatchObject({ status: "UNAVAILABLE" });
  });

  it("leave alone what will not pass, and what is none of ours", async () => {
    await expect(retrying([denied, textReply("ok")]).run()).rejects.toMatchObject({ status: "UNAUTHENTICATED" });
    await expect(retrying([{ error: new TypeError("bug") }, textReply("ok")]).run()).rejects.toThrow("bug");
  });

  it("do not begin an answer anew that a client has begun to read", async () => {
    const { agents } = createWorld();
    const half: ScriptedStep = { error: new AgentError("UNAVAILABLE", "cut"), chunks: [{ content: [{ text: "ha" }] }] };
    const model = createScriptedModel([half, textReply("ok")]);
    const agent = agents.defineAgent({ name: "a", model, use: [retryModel({ delayMs: 0 })] });
    expect(await agent.runText("go")).toMatchObject({ finishReason: "failed", error: { status: "UNAVAILABLE" } });
    expect(model.requests).toHaveLength(1);
  });

  it("end with the signal while they wait", async () => {
    const controller = new AbortController();
    const clock = createManualClock();
    const response = generate({
      model: createScriptedModel([away()]),
      prompt: "go",
      use: [retryModel({ clock })],
      abortSignal: controller.signal,
    });
    await clock.advance(1);
    controller.abort(new Error("enough"));
    await expect(response).rejects.toThrow("enough");
  });
});

describe("fallbacks", () => {
  it("ask the next model when the one before was away", async () => {
    const use = [fallbackModel([createScriptedModel([away()]), createScriptedModel([textReply("third")])])];
    expect((await generate({ model: createScriptedModel([away()]), prompt: "go", use })).text).toBe("third");
  });

  it("give the error of the last one, and leave alone what another model would not mend", async () => {
    const other = createScriptedModel([denied]);
    const use = [fallbackModel([other])];
    await expect(generate({ model: createScriptedModel([away()]), prompt: "go", use })).rejects.toMatchObject({
      status: "UNAUTHENTICATED",
    });
    await expect(generate({ model: createScriptedModel([denied]), prompt: "go", use })).rejects.toMatchObject({
      status: "UNAUTHENTICATED",
    });
    expect(other.requests).toHaveLength(1);
  });
});

describe("middleware", () => {
  it("stands in the order of its list, and can change what goes in and out", async () => {
    const seen: string[] = [];
    const tell = (name: string): ModelMiddleware => ({
      name,
      async generate(request, call, next) {
        seen.push(`${name} asks`);
        const response = await next({ ...request, config: { ...request.config, [name]: true } }, call);
        seen.push(`${name} answers`);
        return response;
      },
    });
    const model = createScriptedModel([textReply("ok")]);
    await generate({ model, prompt: "go", use: [tell("a"), tell("b")] });
    expect(seen).toEqual(["a asks", "b asks", "b answers", "a answers"]);
    expect(model.requests[0]?.config).toEqual({ a: true, b: true });
  });

  it("may answer by itself", async () => {
    const model = createScriptedModel([]);
    const cached: ModelMiddleware = {
      name: "cache",
      generate: async () => ({ message: says("cached"), finishReason: "stop" }),
    };
    expect((await generate({ model, prompt: "go", use: [cached] })).text).toBe("cached");
  });
});

describe("prices", () => {
  it("are put on the usage, cached tokens at their own", async () => {
    const usage = { inputTokens: 1_000_000, cachedInputTokens: 400_000, outputTokens: 500_000 };
    const model = createScriptedModel([{ response: { message: says("ok"), finishReason: "stop", usage } }]);
    const use = [priceModel({ input: 2, cachedInput: 0.5, output: 10, currency: "EUR" })];
    const response = await generate({ model, prompt: "go", use });
    expect(response.usage.cost).toEqual({ amount: 1.2 + 0.2 + 5, currency: "EUR" });
  });
});

describe("the time of one model call", () => {
  it("is limited, and the call is told to stop", async () => {
    const world = createWorld();
    let signal: AbortSignal | undefined;
    let asked = (): void => {};
    const called = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const deaf: Model = {
      name: "deaf",
      generate: (_, call) => {
        signal = call.signal;
        asked();
        return new Promise(() => {});
      },
    };
    const agent = world.agents.defineAgent({ name: "a", model: deaf, timeoutMs: 2_000 });
    const output = agent.runText("go");
    await called;
    await world.clock.advance(2_000);
    expect(await output).toMatchObject({
      finishReason: "failed",
      error: { status: "DEADLINE_EXCEEDED", message: expect.stringContaining("deaf") },
    });
    expect(signal?.aborted).toBe(true);
  });
});
