import type { AgentContext } from "@agents/schema/port";
import { collect } from "@agents/testing";
import { describe, expect, it } from "vitest";
import { createWorld, model, says } from "../../test/agent-world.ts";

function open(options: Parameters<typeof createWorld>[0] = {}) {
  const world = createWorld(options);
  const agent = world.agents.defineCustomAgent({ name: "a" }, async (session) => {
    await session.run(async () => session.addMessages(model("re")));
    return session.result();
  });
  return { ...world, agent };
}

const IMPOSSIBLE = ["", "  ", "x".repeat(257), "a\nb", "nul\0", "\ud800", null, 7, {}] as string[];
/** Names that are something to JavaScript or to a file system, and nothing to us. */
const AWKWARD = [
  "__proto__",
  "constructor",
  "toString",
  "../../etc/passwd",
  "C:\\x",
  "%2e%2e",
  "a".repeat(256),
  "ß/ü#?",
];

describe("an id that cannot be", () => {
  const { agent } = open();
  it.each<[string, (id: string) => unknown]>([
    ["run, as session", (sessionId) => agent.runText("x", { sessionId })],
    ["run, as snapshot", (snapshotId) => agent.runText("x", { snapshotId })],
    ["getSnapshot", (id) => agent.getSnapshot(id)],
    ["getLatestSnapshot", (id) => agent.getLatestSnapshot(id)],
    ["listSnapshots", (sessionId) => agent.listSnapshots({ sessionId })],
    ["waitForSnapshot", (id) => agent.waitForSnapshot(id)],
    ["verifySnapshot", (id) => agent.verifySnapshot(id)],
    ["abort", (id) => agent.abort(id)],
    ["retry", (id) => agent.retry(id).output()],
    ["follow", async (id) => collect(agent.follow(id))],
  ])("is INVALID_ARGUMENT, in few words, for %s", async (_name, call) => {
    for (const id of IMPOSSIBLE) {
      const error = await Promise.resolve(call(id)).then(undefined, (thrown) => thrown);
      expect(error, JSON.stringify(id)).toMatchObject({ status: "INVALID_ARGUMENT" });
      expect(error.message.length).toBeLessThan(200);
    }
  });
});

describe("an id that is awkward", () => {
  it.each(AWKWARD)("is a session like any other: %s", async (sessionId) => {
    const { agent } = open();
    const { snapshotId } = await agent.runText("x", { sessionId });
    expect(await agent.getLatestSnapshot(sessionId)).toMatchObject({ sessionId, snapshotId });
    expect(await agent.listSnapshots({ sessionId })).toMatchObject({ snapshots: [{ snapshotId }] });
  });

  it.each(AWKWARD)("is no snapshot: %s", async (id) => {
    const { agent } = open();
    await expect(agent.getSnapshot(id)).rejects.toMatchObject({ status: "NOT_FOUND" });
    await expect(agent.retry(id).output()).rejects.toMatchObject({ status: "NOT_FOUND" });
    expect(await agent.abort(id)).toEqual({ snapshotId: id });
    expect(await agent.runText("x", { snapshotId: id })).toMatchObject({ error: { status: "NOT_FOUND" } });
  });
});

describe("the scope and the owner of a caller", () => {
  const names = ["..", "../other", "a/../b", "a\\..\\b", "./a", "a/.", "a\0b", "\ud800", "x".repeat(257), {}, 7, null];

  it.each(names)("are refused where they could be taken for another's: %j", async (name) => {
    const { agent } = open();
    for (const context of [{ scope: name }, { subject: name }] as unknown as AgentContext[]) {
      const refused = { status: "INVALID_ARGUMENT", details: { field: "scope" in context ? "scope" : "owner" } };
      await expect(agent.runText("x", { context })).rejects.toMatchObject(refused);
      await expect(agent.getSnapshot("0123abcd.x", { context })).rejects.toMatchObject(refused);
      await expect((async () => collect(agent.follow("0123abcd.x", { context })))()).rejects.toMatchObject(refused);
    }
  });

  it("are checked where the application derives them, too", async () => {
    const { agent } = open({ caller: ({ tenant }) => ({ scope: `tenants/${tenant}` }) });
    await expect(agent.runText("x", { context: { tenant: ".." } })).rejects.toThrow('"tenants/.."');
    expect(await agent.runText("x", { context: { tenant: "..a" } })).toMatchObject({ finishReason: "stop" });
  });

  it.each(["__proto__", "org/team", "a..b", "...", "user@example.org", "a".repeat(256)])("may be %s", async (name) => {
    const { agent } = open();
    const context = { scope: name, subject: name };
    const { snapshotId, sessionId } = await agent.runText("x", { context });
    expect(await agent.getSnapshot(snapshotId as string, { context })).toMatchObject({ sessionId });
    await expect(agent.getSnapshot(snapshotId as string)).rejects.toMatchObject({ status: "NOT_FOUND" });
  });
});

describe("an input that is not there", () => {
  it("is INVALID_ARGUMENT: a call of one input does not wait for another", async () => {
    const { agent } = open();
    const nothing = undefined as never;
    const refused = { status: "INVALID_ARGUMENT" };
    await expect(agent.run(nothing)).rejects.toMatchObject(refused);
    await expect(collect(agent.stream(nothing))).rejects.toMatchObject(refused);
    await expect(agent.chat().send(nothing).output()).rejects.toMatchObject(refused);
    await expect(agent.connect().send(nothing)).rejects.toMatchObject(refused);
    expect(await agent.run(says("x"))).toMatchObject({ finishReason: "stop" });
  });
});
