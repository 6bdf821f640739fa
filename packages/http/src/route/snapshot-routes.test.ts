import { describe, expect, it } from "vitest";
import { createHttpWorld, eventually, open, post, rawClient, rawPost, says } from "../../test/http-world.ts";

const ask = async (url: string, route: string, data: object) => {
  const response = await post(`${url}/agents/echo/${route}`, { data });
  return { status: response.status, body: (await response.json()) as { result: Record<string, unknown> } };
};

describe("the routes of snapshots", () => {
  it("give what the agent itself gives", async () => {
    const world = createHttpWorld();
    const { url } = await open(world);
    for (const text of ["1", "2", "3"]) await post(`${url}/agents/echo`, says(text, { sessionId: "s" }));
    const latest = await world.echo.getLatestSnapshot("s");
    const { snapshotId, parentId } = latest;
    const plain = (value: unknown) => JSON.parse(JSON.stringify(value)) as unknown;
    expect((await ask(url, "getSnapshot", { sessionId: "s" })).body.result).toEqual(plain(latest));
    expect((await ask(url, "getSnapshot", { snapshotId: parentId })).body.result).toMatchObject({ ordinal: 2 });
    const page = (await ask(url, "listSnapshots", { sessionId: "s", limit: 2 })).body.result;
    expect(page["snapshots"]).toMatchObject([{ ordinal: 3 }, { ordinal: 2 }]);
    const rest = (await ask(url, "listSnapshots", { sessionId: "s", cursor: page["cursor"] })).body.result;
    expect(rest).toEqual({ snapshots: [expect.objectContaining({ ordinal: 1 })] });
    const foreign = await ask(url, "getSnapshot", { snapshotId, sessionId: "other" });
    expect(foreign).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining("does not belong to session") },
    });
    expect((await ask(url, "getSnapshot", {})).status).toBe(400);
  });

  it("wait for a turn no longer than the limit, and then say so", async () => {
    const world = createHttpWorld();
    const { url } = await open(world, { limits: { waitMs: 20 } });
    const stream = world.echo.streamText("block");
    const snapshotId = (await stream.turnId()) as string;
    await world.gate.reached();
    const waited = await ask(url, "waitForSnapshot", { snapshotId, timeoutMs: 3_600_000 });
    expect(waited).toMatchObject({ status: 504, body: { status: "DEADLINE_EXCEEDED", details: { timeoutMs: 20 } } });
    world.gate.open();
    await stream.output();
    expect((await ask(url, "waitForSnapshot", { snapshotId })).body.result).toMatchObject({ status: "completed" });
  });

  it("stop waiting when the client leaves", async () => {
    const world = createHttpWorld();
    const { port, handler } = await open(world);
    const stream = world.echo.streamText("block");
    const snapshotId = await stream.turnId();
    const client = rawClient(port, rawPost("/agents/echo/waitForSnapshot", JSON.stringify({ data: { snapshotId } })));
    await eventually(() => handler.activity.clients === 1);
    client.socket.destroy();
    await eventually(() => handler.activity.clients === 0);
    expect(handler.activity.attended).toBe(0);
    await world.gate.reached();
    world.gate.open();
    await stream.output();
  });

  it("abort nothing under an unknown id, and say no status", async () => {
    const { url } = await open(createHttpWorld());
    expect(await ask(url, "abort", { snapshotId: "none" })).toEqual({
      status: 200,
      body: { result: { snapshotId: "none" } },
    });
  });

  it("are closed for an agent whose client carries the state", async () => {
    const { url } = await open(createHttpWorld({ stateManagement: "client" }));
    expect(await ask(url, "abort", { snapshotId: "x" })).toMatchObject({
      status: 400,
      body: { status: "FAILED_PRECONDITION" },
    });
  });

  it("list agents with what a client must know of them", async () => {
    const world = createHttpWorld();
    const { url } = await open(world, { agents: { renamed: world.echo } });
    expect(await (await fetch(`${url}/agents`)).json()).toEqual({
      agents: [{ name: "renamed", description: "Repeats.", metadata: { stateManagement: "server", abortable: true } }],
    });
    expect((await post(`${url}/agents/renamed`, says("x"))).status).toBe(200);
  });
});
