import type { AbortResult, Snapshot, SnapshotPage } from "@agents/schema/agent";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { createGate, createWorld, model, transcript, without } from "../../test/agent-world.ts";
import { type Agents, type BidiAction, createRegistry, customAgent, defineFlow, NO_TELEMETRY } from "../index.ts";

const stateSchema = z.object({ turns: z.number() });

/** Counts its turns; a message "block" waits at the gate. */
function open(options: object = {}) {
  const world = createWorld();
  const gate = createGate();
  const agent = world.agents.defineCustomAgent(
    {
      name: "counter",
      description: "Counts turns.",
      metadata: { icon: "abacus" },
      stateSchema,
      statusSchema: z.enum(["counting", "done"]),
      initialCustom: { turns: 0 },
      ...options,
    },
    async (session, { abortSignal }) => {
      await session.run(async (input) => {
        if (input.message?.content[0]?.text === "block") await gate.wait(abortSignal);
        session.updateCustom((draft) => {
          draft.turns += 1;
        });
      });
    },
  );
  return { ...world, gate, agent };
}

/** A companion as somebody calls it who found it by its name. */
function companion<In, Out>({ registry }: Agents, name: string): BidiAction<undefined, In, never, Out> {
  const entry = registry.lookup(name, "companion");
  if (entry === undefined) throw new Error(`There is no companion ${name}.`);
  return entry.action as BidiAction<undefined, In, never, Out>;
}

const names = ({ registry }: Agents): string[] => registry.list().map(({ name }) => name);

describe("a registered agent", () => {
  it("is found by its name, and is the agent itself", () => {
    const { agents, agent } = open();
    expect(agents.registry.lookup("counter", "agent")?.action).toBe(agent);
    expect(agents.registry.lookup("counter", "flow")).toBeUndefined();
  });

  it("is listed with its description, metadata and JSON Schemas, in which its own schemas stand", () => {
    const { agents } = open();
    const [listed] = agents.registry.list("agent");
    const custom = { type: "object", properties: { turns: { type: "number" } }, required: ["turns"] };
    expect(listed).toMatchObject({
      kind: "agent",
      name: "counter",
      description: "Counts turns.",
      metadata: { agent: { icon: "abacus", stateManagement: "server", abortable: true, stateSchema: custom } },
      schemas: {
        init: { type: "object", properties: { sessionId: {}, snapshotId: {} } },
        input: { properties: { message: {}, resume: {}, detach: { type: "boolean" } } },
        stream: { properties: { modelChunk: {}, status: { enum: ["counting", "done"] }, turnEnd: {} } },
        output: {
          properties: { finishReason: {}, state: { properties: { custom } } },
          required: ["sessionId", "finishReason"],
        },
      },
    });
    expect(JSON.parse(JSON.stringify(listed))).toEqual(listed);
  });

  it("that is client-managed says so, and takes its custom state with init", () => {
    const { agents } = open({ stateManagement: "client" });
    expect(agents.registry.list("agent")[0]).toMatchObject({
      metadata: { agent: { stateManagement: "client", abortable: false } },
      schemas: { init: { properties: { state: { properties: { custom: { properties: { turns: {} } } } } } } },
    });
  });

  it("cannot let its metadata contradict what it is", () => {
    const { agent } = open({ metadata: { stateManagement: "client", abortable: false } });
    expect(agent.metadata).toMatchObject({ stateManagement: "server", abortable: true });
  });
});

describe("its companions", () => {
  it("are listed beside it, with schemas and whose they are", () => {
    const { agents } = open();
    const listed = agents.registry.list("companion");
    expect(listed.map(({ name }) => name)).toEqual([
      "counter/abort",
      "counter/getSnapshot",
      "counter/listSnapshots",
      "counter/waitForSnapshot",
    ]);
    for (const { companionOf, description, schemas } of listed) {
      expect(companionOf).toBe("counter");
      expect(description).toMatch(/\.$/);
      expect(schemas).toMatchObject({ input: { type: "object" }, output: { type: "object" } });
    }
    expect(listed[1]?.schemas.output).toMatchObject({
      properties: { status: {}, state: { properties: { custom: { properties: { turns: { type: "number" } } } } } },
    });
  });

  it("are only those that its store supports", () => {
    const { store } = createWorld();
    const kept = ["counter", "counter/abort", "counter/getSnapshot", "counter/waitForSnapshot"];
    expect(names(open({ store: without(store, "index") }).agents)).toEqual(kept);
    expect(names(open({ store: without(store, "index", "hints", "events") }).agents)).toEqual(kept);
    expect(names(open({ stateManagement: "client" }).agents)).toEqual(["counter"]);
  });

  it("getSnapshot gives a snapshot by its id, or the newest of a session", async () => {
    const { agents, agent } = open();
    const first = await agent.runText("1", { sessionId: "s" });
    await agent.runText("2", { sessionId: "s" });
    const get = companion<object, Snapshot>(agents, "counter/getSnapshot");
    expect(await get.run({ snapshotId: first.snapshotId })).toMatchObject({ state: { custom: { turns: 1 } } });
    expect(await get.run({ sessionId: "s" })).toMatchObject({ state: { custom: { turns: 2 } } });
    await expect(get.run({ snapshotId: first.snapshotId, sessionId: "other" })).rejects.toMatchObject({
      status: "INVALID_ARGUMENT",
      message: expect.stringContaining("does not belong to session"),
    });
    await expect(get.run({ snapshotId: "0123abcd.x" })).rejects.toMatchObject({ status: "NOT_FOUND" });
  });

  it("listSnapshots gives them page by page, newest first", async () => {
    const { agents, agent } = open();
    for (const text of ["1", "2", "3"]) await agent.runText(text, { sessionId: "s" });
    const list = companion<object, SnapshotPage>(agents, "counter/listSnapshots");
    const page = await list.run({ sessionId: "s", limit: 2 });
    expect(page.snapshots.map(({ ordinal }) => ordinal)).toEqual([3, 2]);
    const rest = await list.run({ sessionId: "s", limit: 2, cursor: page.cursor });
    expect(rest.snapshots.map(({ ordinal }) => ordinal)).toEqual([1]);
    expect(rest).not.toHaveProperty("cursor");
    await expect(list.run({ sessionId: "unknown" })).rejects.toMatchObject({ status: "NOT_FOUND" });
  });

  it("abort stops a turn, which waitForSnapshot has waited for", async () => {
    const { agents, agent, gate, clock } = open();
    const stream = agent.streamText("block");
    await gate.reached();
    const snapshotId = (await stream.turnId()) as string;
    const wait = companion<object, Snapshot>(agents, "counter/waitForSnapshot");
    const waited = wait.run({ snapshotId });
    const late = wait.run({ snapshotId, timeoutMs: 10 });
    late.catch(() => {});
    await clock.advance(10);
    await expect(late).rejects.toMatchObject({ status: "DEADLINE_EXCEEDED" });
    const abort = companion<object, AbortResult>(agents, "counter/abort");
    expect(await abort.run({ snapshotId })).toEqual({ snapshotId, previousStatus: "pending", status: "aborting" });
    expect(await waited).toMatchObject({ snapshotId, status: "aborted" });
    expect(await abort.run({ snapshotId: "0123abcd.x" })).toEqual({ snapshotId: "0123abcd.x" });
  });

  it("ask on behalf of the caller's context", async () => {
    const { agents, agent } = open();
    const context = { scope: "tenant", subject: "me" };
    const { snapshotId } = await agent.runText("1", { context });
    const get = companion<object, Snapshot>(agents, "counter/getSnapshot");
    expect(await get.run({ snapshotId }, { context })).toMatchObject({ snapshotId });
    await expect(get.run({ snapshotId })).rejects.toMatchObject({ status: "NOT_FOUND" });
    await expect(get.run({ snapshotId }, { context: { ...context, subject: "you" } })).rejects.toMatchObject({
      status: "NOT_FOUND",
    });
  });

  it.each([
    ["getSnapshot", {}, "needs a snapshotId or a sessionId"],
    ["getSnapshot", { snapshotId: " " }, "/snapshotId"],
    ["listSnapshots", {}, "/sessionId"],
    ["listSnapshots", { sessionId: "s", limit: 0 }, "/limit"],
    ["abort", { snapshotId: 7 }, "/snapshotId"],
    ["waitForSnapshot", { snapshotId: "x", timeoutMs: -1 }, "/timeoutMs"],
    ["waitForSnapshot", undefined, "missing"],
  ])("%s refuses %j before it asks the store", async (name, input, words) => {
    const { agents } = open();
    await expect(companion<unknown, unknown>(agents, `counter/${name}`).run(input)).rejects.toMatchObject({
      status: "INVALID_ARGUMENT",
      message: expect.stringContaining(words),
    });
  });

  it("go with the agent when it is removed", () => {
    const { agents } = open();
    expect(agents.registry.remove("counter")).toBe(true);
    expect(names(agents)).toEqual([]);
  });
});

describe("an agent that is registered later", () => {
  const definition = customAgent({ name: "echo", stateSchema, initialCustom: { turns: 0 } }, async (session) => {
    await session.run(async (input) => session.addMessages(model(`re: ${input.message?.content[0]?.text}`)));
  });

  it("works on each runtime that it is registered on, with that one's store and registry", async () => {
    const [one, other] = [createWorld(), createWorld()];
    const [here, there] = [one.agents.register(definition), other.agents.register(definition)];
    expect(here).not.toBe(there);
    await here.runText("here", { sessionId: "s" });
    await there.runText("there", { sessionId: "s" });
    expect(transcript((await here.getLatestSnapshot("s")).state?.messages)).toEqual(["user: here", "model: re: here"]);
    expect(transcript((await there.getLatestSnapshot("s")).state?.messages)).toEqual([
      "user: there",
      "model: re: there",
    ]);
    expect([here.store, there.store]).toEqual([one.store, other.store]);
    for (const { agents } of [one, other]) expect(names(agents)).toHaveLength(5);
  });

  it("is nowhere before it is registered", () => {
    const { agents } = createWorld();
    customAgent({ name: "echo" }, async () => {});
    expect(names(agents)).toEqual([]);
  });

  it("may share a registry with another runtime, under another name", () => {
    const registry = createRegistry();
    const [one, other] = [createWorld({ registry }), createWorld({ registry })];
    one.agents.register(definition);
    expect(() => other.agents.register(definition)).toThrow(expect.objectContaining({ status: "ALREADY_EXISTS" }));
    other.agents.register({ ...definition, options: { ...definition.options, name: "echo2" } });
    expect(registry.list("agent").map(({ name }) => name)).toEqual(["echo", "echo2"]);
  });
});

describe("a name that is taken", () => {
  it("by another agent is ALREADY_EXISTS, and the first one stays", () => {
    const { agents, agent } = open();
    expect(() => agents.defineCustomAgent({ name: "counter" }, async () => {})).toThrow(
      expect.objectContaining({ status: "ALREADY_EXISTS", message: expect.stringContaining('"counter"') }),
    );
    expect(agents.registry.lookup("counter")?.action).toBe(agent);
    expect(names(agents)).toHaveLength(5);
  });

  it.each(["echo", "echo/abort", "echo/waitForSnapshot"])(
    "by a flow, as %s is, leaves nothing of the agent",
    (name) => {
      const { agents } = createWorld();
      const { registry } = agents;
      defineFlow({ name, registry, telemetry: NO_TELEMETRY }, async () => 1);
      expect(() => agents.defineCustomAgent({ name: "echo" }, async () => {})).toThrow(
        expect.objectContaining({ status: "ALREADY_EXISTS", message: expect.stringContaining("flow") }),
      );
      expect(names(agents)).toEqual([name]);
    },
  );
});
