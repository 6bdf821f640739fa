import { AgentError } from "@agents/schema/error";
import { createManualClock } from "@agents/testing";
import { describe, expect, it } from "vitest";
import { refuse } from "../../test/agent-server.ts";
import { createGate, openWorld, recordWaits } from "../../test/world.ts";
import { snapshotOutput } from "./snapshot-output.ts";

describe("snapshots", () => {
  it("are read by id, as the newest, and as a list; an unknown id is NOT_FOUND, and aborting one answers without a status", async () => {
    const { agent } = await openWorld();
    await agent.runText("1", { sessionId: "s" });
    await agent.runText("2", { sessionId: "s" });
    expect(await agent.getSnapshot("turn-1", { sessionId: "s" })).toMatchObject({ snapshotId: "turn-1" });
    expect(await agent.getLatestSnapshot("s")).toMatchObject({ snapshotId: "turn-2", parentId: "turn-1" });
    expect((await agent.listSnapshots({ sessionId: "s" })).snapshots).toHaveLength(2);
    await expect(agent.getSnapshot("nobody")).rejects.toMatchObject({ status: "NOT_FOUND" });
    expect(await agent.abort("nobody")).toEqual({ snapshotId: "nobody" });
  });

  it.each(["cut", "unavailable", "truncated"])("are asked for again after a failure that passes: %s", async (how) => {
    const { agent, server } = await openWorld();
    await agent.runText("1");
    server.requests.length = 0;
    server.intercept = ({ response }) => {
      if (server.requests.length > 2) return false;
      if (how === "cut") response.destroy();
      else if (how === "unavailable") refuse(response, new AgentError("UNAVAILABLE", "going down"));
      else response.writeHead(200, { "content-type": "application/json" }).end('{"result":{"snap');
      return true;
    };
    expect(await agent.getSnapshot("turn-1")).toMatchObject({ snapshotId: "turn-1" });
    expect(server.requests).toHaveLength(3);
  });

  it("are asked for with the headers of the moment, which may know who calls", async () => {
    let token = 0;
    const headers = async ({ context }: { context?: { subject?: string } | undefined }) => ({
      authorization: `${context?.subject ?? "nobody"} ${++token}`,
    });
    const { agent, server } = await openWorld({ headers });
    await agent.runText("x", { context: { subject: "ann" } });
    await agent.getSnapshot("turn-1");
    expect(server.requests.map((request) => request.headers.authorization)).toEqual(["ann 1", "nobody 2"]);
  });

  it("take so long and no longer, and leave no timer", async () => {
    const clock = createManualClock();
    const { agent, server } = await openWorld({ clock, patience: { callMs: 1_000, maxAttempts: 2, baseMs: 10 } });
    const silent = createGate();
    server.intercept = async () => {
      await silent.wait();
      return false;
    };
    const refused = expect(agent.getSnapshot("x")).rejects.toMatchObject({ status: "DEADLINE_EXCEEDED" });
    await server.seen(() => true);
    for (let attempt = 0; attempt < 2; attempt++) await clock.advance(1_010);
    await refused;
    expect(clock.pendingTimers).toBe(0);
    silent.open();
  });
});

describe("waiting for a snapshot", () => {
  it("asks again as often as the server stops waiting", async () => {
    const { agent, server } = await openWorld();
    const gate = createGate();
    server.script = async () => {
      await gate.wait();
      return undefined;
    };
    await agent.streamText("x").turnId();
    let refusals = 0;
    server.intercept = ({ url, response }) => {
      const again = url.endsWith("/waitForSnapshot") && ++refusals <= 3;
      if (again) refuse(response, new AgentError("DEADLINE_EXCEEDED", "still pending"));
      if (refusals === 3) gate.open();
      return again;
    };
    expect(await agent.waitForSnapshot("turn-1")).toMatchObject({ status: "completed" });
  });

  it("does not ask in a tight loop where the server does not wait", async () => {
    const { clock, waits } = recordWaits(createManualClock());
    const { agent, server } = await openWorld({ clock, patience: { baseMs: 100, maxMs: 400 }, random: () => 1 });
    server.intercept = ({ response }) => {
      refuse(response, new AgentError("DEADLINE_EXCEEDED", "still pending"));
      return true;
    };
    const controller = new AbortController();
    const refused = expect(agent.waitForSnapshot("turn-1", { signal: controller.signal })).rejects.toThrow("enough");
    const pauses = () => waits.filter((ms) => ms < 1_000);
    for (const ms of [100, 200, 400, 400]) {
      while (pauses().at(-1) !== ms) await new Promise((resolve) => setImmediate(resolve));
      await clock.advance(ms);
    }
    controller.abort(new Error("enough"));
    await refused;
  });

  it("ends with DEADLINE_EXCEEDED when its own time is over", async () => {
    const { agent, server } = await openWorld();
    server.intercept = ({ response, body }) => {
      expect(body?.data["timeoutMs"]).toBe(0);
      expect(server.requests).toHaveLength(1);
      refuse(response, new AgentError("DEADLINE_EXCEEDED", "still pending"));
      return true;
    };
    await expect(agent.waitForSnapshot("turn-1", { timeoutMs: 0 })).rejects.toMatchObject({
      status: "DEADLINE_EXCEEDED",
    });
  });
});

describe("the output that a snapshot tells", () => {
  const row = {
    snapshotId: "t2",
    sessionId: "s",
    parentId: "t1",
    ordinal: 2,
    epoch: 1,
    createdAt: "2025-01-01T00:00:00Z",
  };
  const error = { status: "INTERNAL" as const, message: "broke" };
  const message = { role: "model" as const, content: [{ text: "hi" }] };
  const state = { sessionId: "s", messages: [message], artifacts: [{ name: "a", parts: [] }] };

  it.each([
    ["pending", {}, "live"],
    ["aborting", {}, "live"],
    [
      "completed",
      { stateHash: "h", state, finishReason: "length" as const },
      { finishReason: "length", message, artifacts: state.artifacts, snapshotId: "t2", snapshotIds: ["t2"] },
    ],
    ["completed", {}, { finishReason: "stop", snapshotId: "t1", snapshotIds: [] }],
    ["failed", { error, state }, { finishReason: "failed", error, snapshotId: "t1", snapshotIds: [] }],
    ["failed", { error, stateHash: "h" }, { finishReason: "failed", error, snapshotId: "t2", snapshotIds: ["t2"] }],
    ["aborted", {}, { finishReason: "aborted", snapshotId: "t1", snapshotIds: [] }],
  ] as const)("of one that is %s %j", (status, more, output) => {
    const told = snapshotOutput({ ...row, status, ...more } as never);
    expect(told).toEqual(output === "live" ? "live" : { sessionId: "s", ...output });
  });

  it("is unknown of an expired one", () => {
    expect(() => snapshotOutput({ ...row, status: "expired" })).toThrow(
      expect.objectContaining({ status: "UNAVAILABLE" }),
    );
  });
});
