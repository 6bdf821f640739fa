import { AgentError } from "@agents/schema/error";
import { collect, createManualClock } from "@agents/testing";
import { describe, expect, it } from "vitest";
import { refuse, reply } from "../../test/agent-server.ts";
import { createGate, openWorld, texts } from "../../test/world.ts";

async function openTask(options: Parameters<typeof openWorld>[0] = {}) {
  const world = await openWorld(options);
  const gate = createGate();
  world.server.script = async (turn) => {
    turn.text("a");
    await gate.wait();
    if (!turn.aborted) turn.text("b");
    return [reply("ab")];
  };
  const task = await world.agent.detach("go", { sessionId: "s" });
  return { ...world, gate, task };
}

describe("a detached task", () => {
  it("is started in one call, and can be found again by its id", async () => {
    const { agent, server, task, gate } = await openTask();
    expect(task.snapshotId).toBe("turn-1");
    expect(server.requests[0]?.body).toMatchObject({ data: { detach: true }, init: { sessionId: "s" } });
    gate.open();
    expect(await agent.task(task.snapshotId).wait()).toMatchObject({ status: "completed", snapshotId: "turn-1" });
  });

  it("shows its events from the beginning, over cuts, and to its end", async () => {
    const { server, task, gate } = await openTask();
    const seen: string[] = [];
    for await (const entry of task.events()) {
      if ("chunk" in entry) seen.push(texts([entry.chunk])[0] ?? "end");
      if (seen.length === 1) server.cut();
      gate.open();
    }
    expect(seen).toEqual(["a", "b", "end"]);
  });

  it("is waited for by its stream, from where it was followed to, and not by asking", async () => {
    const { server, task, gate } = await openTask();
    for await (const _ of task.events()) break;
    const waiting = task.wait();
    const follow = await server.seen(({ headers }) => headers["last-event-id"] !== undefined);
    expect(follow.headers["last-event-id"]).toBe("1-2");
    gate.open();
    expect(await waiting).toMatchObject({ status: "completed" });
    expect(server.count(({ url }) => url.endsWith("/waitForSnapshot"))).toBe(1);
  });

  it("is asked for where the server keeps no log", async () => {
    const { server, task, gate } = await openTask();
    server.mode = "unlogged";
    const waiting = task.wait();
    await server.seen(({ url }) => url.endsWith("/waitForSnapshot"));
    gate.open();
    expect(await waiting).toMatchObject({ status: "completed" });
  });

  it("can be aborted", async () => {
    const { task, gate } = await openTask();
    expect(await task.abort()).toEqual({ snapshotId: "turn-1", previousStatus: "pending", status: "aborting" });
    gate.open();
    expect(await task.wait()).toMatchObject({ status: "aborted" });
  });

  it("is waited for so long and no longer", async () => {
    const clock = createManualClock();
    const { server, task, gate } = await openTask({ clock });
    const refused = expect(task.wait({ timeoutMs: 1_000 })).rejects.toMatchObject({ status: "DEADLINE_EXCEEDED" });
    await server.seen(({ method }) => method === "GET");
    await clock.advance(1_000);
    await refused;
    expect(clock.pendingTimers).toBe(0);
    gate.open();
  });

  it("of an expired turn resolves with what the row says", async () => {
    const { server, task, gate } = await openTask();
    server.intercept = ({ method, response }) => {
      const expired = new AgentError("UNAVAILABLE", "expired", { details: { status: "expired" } });
      if (method === "GET") response.writeHead(200, { "content-type": "text/event-stream" });
      if (method === "GET") response.end(`data: ${JSON.stringify({ error: { ...expired, message: "expired" } })}\n\n`);
      return method === "GET";
    };
    server.turn(0).snapshot = { ...server.turn(0).snapshot, status: "expired" };
    expect(await task.wait()).toMatchObject({ status: "expired" });
    gate.open();
  });

  it("that could not be started says why", async () => {
    const { agent, server } = await openWorld();
    server.intercept = ({ response }) => {
      refuse(response, new AgentError("FAILED_PRECONDITION", "no store"));
      return true;
    };
    await expect(agent.detach("x")).rejects.toMatchObject({ status: "FAILED_PRECONDITION", message: "no store" });
    expect(await collect(agent.task("x").events()).catch((error: AgentError) => error.status)).toBe(
      "FAILED_PRECONDITION",
    );
  });
});
