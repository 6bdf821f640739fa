import { describe, expect, it } from "vitest";
import * as z from "zod";
import { createWorld } from "../../test/agent-world.ts";
import {
  type AgentOptions,
  type AgentsOptions,
  createAgents,
  customAgent,
  NO_TELEMETRY,
  type PlainAgentOptions,
} from "../index.ts";

/** Options as somebody may write them who has no types. */
type Loose = { readonly [Option in keyof AgentOptions]?: unknown };

function define(options: Loose, { stored = true }: { stored?: boolean } = {}) {
  const agents = stored ? createWorld().agents : createAgents({ telemetry: NO_TELEMETRY });
  const call = () =>
    agents.defineCustomAgent({ name: "a", ...options } as PlainAgentOptions<unknown, unknown>, async () => {});
  return { agents, call };
}

/** Refused at definition, and nothing of it is left. */
function expectRefusal(refused: ReturnType<typeof define>, status: string, ...words: (string | RegExp)[]): void {
  expect(refused.call).toThrow(expect.objectContaining({ status }));
  for (const word of words) expect(refused.call).toThrow(word);
  expect(refused.agents.registry.list()).toEqual([]);
}

describe("options that contradict each other are refused, quoting both", () => {
  const { store } = createWorld();

  it.each<[Loose, string, string]>([
    [{ stateManagement: "client", store }, 'stateManagement is "client"', 'store is "memory"'],
    [{ stateManagement: "client", concurrency: "queue" }, 'concurrency is "queue"', "the client carries the state"],
    [{ stateManagement: "client", ifForked: "reject" }, 'ifForked is "reject"', "the client carries the state"],
    [{ stateManagement: "client", snapshot: "always" }, 'snapshot is "always"', "the client carries the state"],
    [{ stateManagement: "client", snapshot: ["turnEnd"] }, 'snapshot is ["turnEnd"]', "the client carries the state"],
    [{ stateManagement: "client", snapshot: () => true }, "snapshot is a function", "the client carries the state"],
  ])("with a store at hand: %j", (options, one, other) => {
    expectRefusal(define(options), "FAILED_PRECONDITION", "Agent 'a'", one, other);
  });

  it.each<[Loose, string, string]>([
    [{ stateManagement: "server" }, 'stateManagement is "server"', "neither the agent nor createAgents has a store"],
    [{ concurrency: "fork" }, 'concurrency is "fork"', "there is no store"],
    [{ ifForked: "newest" }, 'ifForked is "newest"', "there is no store"],
    [{ snapshot: "never" }, 'snapshot is "never"', "there is no store"],
  ])("without any store: %j", (options, one, other) => {
    expectRefusal(define(options, { stored: false }), "FAILED_PRECONDITION", "Agent 'a'", one, other);
  });

  it.each<[Loose, boolean]>([
    [{ stateManagement: "client", resumeFrom: "settled" }, true],
    [{ stateManagement: "client", limits: { timeMs: 1 } }, false],
    [{ stateManagement: "server", concurrency: "queue", ifForked: "reject", snapshot: "never" }, true],
    [{ store, concurrency: "interrupt" }, false],
  ])("and those that go together are not: %j", (options, stored) => {
    expect(define(options, { stored }).call()).toMatchObject({ name: "a" });
  });
});

describe("an option that takes one of a few words", () => {
  it.each([
    ["stateManagement", "both", '"server", "client"'],
    ["resumeFrom", "failed", '"completed", "settled"'],
    ["concurrency", "parallel", '"reject", "queue", "interrupt", "fork"'],
    ["ifForked", "oldest", '"newest", "reject"'],
    ["concurrency", null, '"reject"'],
  ])("refuses %s %j, and names those that it takes", (option, value, words) => {
    expectRefusal(define({ [option]: value }), "INVALID_ARGUMENT", `${option} is ${JSON.stringify(value)}`, words);
  });
});

describe("a name", () => {
  it.each(["", " ", "a b", "a/b", "..", ".a", "a.", "-a", "é", "a\n", "a".repeat(129), 7, undefined])(
    "is not %j: it is part of routes",
    (name) => {
      expectRefusal(define({ name }), "INVALID_ARGUMENT", "name of an agent");
    },
  );

  it.each(["a", "A-1", "weather.agent_2", "a".repeat(128)])("may be %j", (name) => {
    expect(define({ name }).call()).toMatchObject({ name });
  });
});

describe("an initial custom state", () => {
  const stateSchema = z.object({ user: z.object({ age: z.number() }) });

  it("that does not fit the schema is refused, naming the path", () => {
    const misfit = define({ stateSchema, initialCustom: { user: { age: "old" } } });
    expectRefusal(misfit, "INVALID_ARGUMENT", "Agent 'a'", "initialCustom", "/user/age");
  });

  it("with a schema that is asynchronous is refused: nothing here may wait", () => {
    const late = stateSchema.refine(async () => true);
    expectRefusal(
      define({ stateSchema: late, initialCustom: { user: { age: 1 } } }),
      "INVALID_ARGUMENT",
      "synchronous",
    );
  });

  it("that is a function is for a caller: it is not called at definition, and a misfit is an outcome", async () => {
    let calls = 0;
    const { agents } = createWorld();
    const agent = agents.defineCustomAgent(
      {
        name: "a",
        stateSchema,
        initialCustom: () => {
          calls++;
          return { user: { age: "old" as never } };
        },
      },
      async (session) => session.run(async () => {}),
    );
    expect(calls).toBe(0);
    expect(await agent.runText("hi")).toMatchObject({
      finishReason: "failed",
      error: { status: "INVALID_ARGUMENT", message: expect.stringContaining("/user/age") },
    });
  });
});

describe("a schema that JSON Schema cannot describe", () => {
  it("does not keep an agent from being defined: its description says that anything goes", () => {
    const twice = z.object({ a: z.string().meta({ id: "same" }), b: z.number().meta({ id: "same" }) });
    expect(define({ stateSchema: twice }).call()).toMatchObject({ metadata: { stateSchema: {} } });
  });
});

describe("createAgents", () => {
  const create = (options: AgentsOptions) => () => createAgents({ telemetry: NO_TELEMETRY, ...options });

  it.each([
    [20_000, 40_000],
    [20_000, 1_000],
    [1_000, Number.NaN],
  ])("refuses a heartbeat of %d ms with an expiry of %d ms, quoting both", (heartbeatMs, expiryMs) => {
    const refused = create({ lease: { heartbeatMs, expiryMs } });
    expect(refused).toThrow(expect.objectContaining({ status: "FAILED_PRECONDITION" }));
    expect(refused).toThrow(`lease.expiryMs is ${expiryMs}`);
    expect(refused).toThrow(`lease.heartbeatMs is ${heartbeatMs}`);
  });

  it("compares one that is given with the default of the other", () => {
    expect(create({ lease: { heartbeatMs: 30_000 } })).toThrow("lease.expiryMs is 60000");
    expect(create({ lease: { expiryMs: 40_000 } })).toThrow("lease.heartbeatMs is 20000");
    expect(create({ lease: { heartbeatMs: 20_000, expiryMs: 40_001 } })).not.toThrow();
  });

  it.each<[AgentsOptions, string]>([
    [{ lease: { heartbeatMs: 0 } }, "lease.heartbeatMs is 0"],
    [{ log: { flushMs: -1 } }, "flushMs is -1"],
    [{ log: { batchSize: 0 } }, "batchSize is 0"],
    [{ pollMs: Number.NaN }, "pollMs is NaN"],
    [{ cachedSessions: 0 }, "cachedSessions is 0"],
  ])("refuses %j, naming the option", (options, words) => {
    expect(create(options)).toThrow(expect.objectContaining({ status: "INVALID_ARGUMENT" }));
    expect(create(options)).toThrow(words);
  });
});

describe("an agent that is registered later", () => {
  it("is checked where it gets its store, and not before", () => {
    const definition = customAgent({ name: "a", concurrency: "queue" }, async () => {});
    const agents = createAgents({ telemetry: NO_TELEMETRY });
    expect(() => agents.register(definition)).toThrow('concurrency is "queue"');
    expect(agents.registry.list()).toEqual([]);
    expect(createWorld().agents.register(definition)).toMatchObject({ name: "a" });
  });
});
