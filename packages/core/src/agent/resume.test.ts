import { describe, expect, it } from "vitest";
import * as z from "zod";
import { createGate, createWorld, model, says, transcript, withTurns } from "../../test/agent-world.ts";

function open(options: object = {}) {
  const world = createWorld();
  const gate = createGate();
  const define = (agents = world.agents, more: object = {}) =>
    agents.defineCustomAgent({ name: "a", ...options, ...more }, async (session, { abortSignal }) => {
      await session.run(async (input) => {
        const text = input.message?.content[0]?.text ?? "";
        if (text === "block") await gate.wait(abortSignal);
        if (text === "bad") throw new Error("it broke");
        session.addMessages(model(`re: ${text}`));
      });
    });
  return { ...world, gate, agent: define(), define };
}

describe("resuming", () => {
  it("with nothing given is a fresh session", async () => {
    const { agent } = open();
    const [one, two] = [await agent.runText("1"), await agent.runText("2")];
    expect(one.sessionId).not.toBe(two.sessionId);
  });

  it("by an unknown sessionId is a fresh session under that id, whatever it looks like", async () => {
    const { agent } = open();
    const sessionId = "Ünïcode / ../.. : 'id' 🚀";
    expect(await agent.runText("1", { sessionId })).toMatchObject({ sessionId });
    expect((await agent.getLatestSnapshot(sessionId)).state?.sessionId).toBe(sessionId);
  });

  it("by a known sessionId continues from its latest resumable snapshot, in another process too", async () => {
    const { agent, define, another } = open();
    const first = await agent.runText("1", { sessionId: "s" });
    await agent.runText("bad", { sessionId: "s" });
    const second = await define(another()).runText("2", { sessionId: "s" });
    const { state, parentId } = await agent.getSnapshot(second.snapshotId as string);
    expect(parentId).toBe(first.snapshotId);
    expect(transcript(state?.messages)).toEqual(["user: 1", "model: re: 1", "user: 2", "model: re: 2"]);
  });

  it("finds the state it was promised although the process let go of it while the turn began", async () => {
    const { store, another, define } = open();
    const begin = createGate();
    let held = false;
    const slow = withTurns(store, {
      begin: async (caller, request) => {
        if (held) await begin.wait();
        return store.turns.begin(caller, request);
      },
    });
    const agent = define(another({ store: slow, cachedSessions: 1 }));
    await agent.runText("1", { sessionId: "s" });
    held = true;
    const second = agent.runText("2", { sessionId: "s" });
    await begin.reached();
    held = false;
    await agent.runText("other", { sessionId: "elsewhere" });
    begin.open();
    expect(await second).toMatchObject({ finishReason: "stop" });
    expect(transcript((await agent.getLatestSnapshot("s")).state?.messages)).toHaveLength(4);
  });

  it("by snapshotId continues from exactly that turn; a second continuation is a branch with the same parent", async () => {
    const { agent } = open();
    const base = await agent.runText("base");
    const ends = [];
    for (const text of ["left", "right"])
      ends.push(await agent.runText(text, { snapshotId: base.snapshotId as string }));
    const snapshots = await Promise.all(ends.map(({ snapshotId }) => agent.getSnapshot(snapshotId as string)));
    expect(snapshots.map(({ parentId }) => parentId)).toEqual([base.snapshotId, base.snapshotId]);
    expect(snapshots.map(({ state }) => transcript(state?.messages)[2])).toEqual(["user: left", "user: right"]);
  });

  it("by both continues when they belong together, and throws INVALID_ARGUMENT when they do not", async () => {
    const { agent } = open();
    const { sessionId, snapshotId } = await agent.runText("1");
    const both = { sessionId, snapshotId: snapshotId as string };
    expect(await agent.runText("2", both)).toMatchObject({ finishReason: "stop", sessionId });
    await expect(agent.runText("3", { ...both, sessionId: "other" })).rejects.toMatchObject({
      status: "INVALID_ARGUMENT",
      message: expect.stringContaining("does not belong to session"),
    });
    await expect(agent.getSnapshot(snapshotId as string, { sessionId: "other" })).rejects.toMatchObject({
      status: "INVALID_ARGUMENT",
    });
  });

  it.each([
    [
      "state on a server-managed agent",
      "server",
      { state: { messages: [] } },
      "FAILED_PRECONDITION",
      "Cannot send 'state' to agent",
    ],
    [
      "sessionId on a client-managed one",
      "client",
      { sessionId: "s" },
      "FAILED_PRECONDITION",
      "Cannot use 'sessionId'",
    ],
    [
      "snapshotId on a client-managed one",
      "client",
      { snapshotId: "0123abcd.x" },
      "FAILED_PRECONDITION",
      "Cannot use 'snapshotId'",
    ],
    ["state together with an id", "client", { state: {}, sessionId: "s" }, "INVALID_ARGUMENT", "'state'"],
    [
      "state together with an id, server-managed",
      "server",
      { state: {}, snapshotId: "0123abcd.x" },
      "INVALID_ARGUMENT",
      "'state'",
    ],
    ["a blank sessionId", "server", { sessionId: " " }, "INVALID_ARGUMENT", "/sessionId"],
    ["a sessionId that is too long", "server", { sessionId: "x".repeat(257) }, "INVALID_ARGUMENT", "/sessionId"],
  ] as const)("throws for %s", async (_name, stateManagement, init, status, message) => {
    const { agent } = open({ stateManagement });
    await expect(agent.run(says("1"), init as never)).rejects.toMatchObject({
      status,
      message: expect.stringContaining(message),
    });
  });

  it.each(["0123abcd.unknown", "no-route", "../../etc/passwd"])(
    "from the unknown snapshot %s resolves failed, NOT_FOUND",
    async (snapshotId) => {
      const { agent } = open();
      expect(await agent.runText("1", { snapshotId })).toMatchObject({
        finishReason: "failed",
        error: { status: "NOT_FOUND" },
      });
    },
  );

  it("from a pending, aborting, failed or aborted snapshot resolves failed, FAILED_PRECONDITION", async () => {
    const { agent, gate } = open();
    const expectRefused = async (snapshotId: string, status: string) => {
      const output = await agent.runText("x", { snapshotId });
      expect(output).toMatchObject({
        finishReason: "failed",
        error: { status: "FAILED_PRECONDITION", message: expect.stringContaining(status) },
      });
    };
    const failed = agent.streamText("bad");
    await failed.output();
    await expectRefused((await failed.turnId()) as string, "failed");
    const { snapshotId = "" } = await agent.run({ ...says("block"), detach: true });
    await gate.reached();
    await expectRefused(snapshotId, "pending");
    await agent.abort(snapshotId);
    await agent.waitForSnapshot(snapshotId);
    await expectRefused(snapshotId, "aborted");
  });

  it("of a state that no longer fits its schema resolves failed, INVALID_ARGUMENT naming the path", async () => {
    const { agents, another } = createWorld();
    const define = (on: typeof agents, schema: z.ZodType, initialCustom: unknown) =>
      on.defineCustomAgent({ name: "a", stateSchema: schema, initialCustom }, async (session) =>
        session.run(async () => {}),
      );
    await define(agents, z.object({ n: z.number() }), { n: 1 }).runText("1", { sessionId: "s" });
    const stricter = define(another(), z.object({ n: z.number().min(5) }), { n: 5 });
    expect(await stricter.runText("2", { sessionId: "s" })).toMatchObject({
      finishReason: "failed",
      error: { status: "INVALID_ARGUMENT", message: expect.stringContaining("/n") },
    });
    expect(await stricter.getLatestSnapshot("s")).toMatchObject({ state: { custom: { n: 1 } } });
  });

  it("fills in what the schema has learnt since, and stores it with the next turn", async () => {
    const { agents, another } = createWorld();
    const run = async (session: { run(callback: () => Promise<void>): Promise<void> }) => session.run(async () => {});
    await agents
      .defineCustomAgent({ name: "a", initialCustom: { n: 1 } }, async (session) => run(session))
      .runText("1", { sessionId: "s" });
    const newer = another().defineCustomAgent(
      { name: "a", stateSchema: z.object({ n: z.number(), tags: z.array(z.string()).default([]) }) },
      async (session) => run(session),
    );
    await newer.runText("2", { sessionId: "s" });
    expect((await newer.getLatestSnapshot("s")).state?.custom).toEqual({ n: 1, tags: [] });
  });

  it("from an archived session resolves failed, FAILED_PRECONDITION", async () => {
    const { agent, store } = open();
    await agent.runText("1", { sessionId: "s" });
    await store.index.updateSession({ scope: "" }, "s", { state: "archived" });
    expect(await agent.runText("2", { sessionId: "s" })).toMatchObject({
      finishReason: "failed",
      error: { status: "FAILED_PRECONDITION", message: expect.stringContaining("archived") },
    });
  });

  it("of another agent's session or snapshot is refused, and reads as not there", async () => {
    const { agent, define, agents } = open();
    const other = define(agents, { name: "b" });
    const { snapshotId } = await agent.runText("1", { sessionId: "s" });
    expect(await other.runText("2", { sessionId: "s" })).toMatchObject({
      finishReason: "failed",
      error: { status: "FAILED_PRECONDITION", message: expect.stringContaining("'a'") },
    });
    await expect(other.getSnapshot(snapshotId as string)).rejects.toMatchObject({ status: "NOT_FOUND" });
    expect((await agent.getLatestSnapshot("s")).snapshotId).toBe(snapshotId);
  });

  it("of another tenant's or owner's session finds nothing of it", async () => {
    const { agent } = open();
    const mine = { context: { scope: "a", subject: "me" } };
    const { snapshotId } = await agent.runText("secret", { sessionId: "s", ...mine });
    const theirs = await agent.runText("hello", { sessionId: "s", context: { scope: "b" } });
    expect(
      transcript((await agent.getSnapshot(theirs.snapshotId as string, { context: { scope: "b" } })).state?.messages),
    ).toEqual(["user: hello", "model: re: hello"]);
    expect(
      await agent.runText("x", { snapshotId: snapshotId as string, context: { scope: "a", subject: "you" } }),
    ).toMatchObject({
      error: { status: "NOT_FOUND" },
    });
  });
});

describe("an unknown id", () => {
  it("is NOT_FOUND everywhere, abort aside", async () => {
    const { agent } = open();
    const id = "0123abcd.unknown";
    const notFound = { status: "NOT_FOUND" };
    await expect(agent.getSnapshot(id)).rejects.toMatchObject(notFound);
    await expect(agent.getLatestSnapshot("nobody")).rejects.toMatchObject(notFound);
    await expect(agent.listSnapshots({ sessionId: "nobody" })).rejects.toMatchObject(notFound);
    await expect(agent.waitForSnapshot(id)).rejects.toMatchObject(notFound);
    await expect(agent.verifySnapshot(id)).rejects.toMatchObject(notFound);
    await expect(agent.follow(id)[Symbol.asyncIterator]().next()).rejects.toMatchObject(notFound);
    expect(await agent.abort(id)).toEqual({ snapshotId: id });
  });
});
