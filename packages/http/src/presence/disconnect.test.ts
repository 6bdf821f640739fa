import { createMemoryStore } from "@agents/store-memory";
import { describe, expect, it } from "vitest";
import {
  createHttpWorld,
  eventually,
  type HttpWorld,
  open,
  post,
  rawClient,
  rawPost,
  says,
} from "../../test/http-world.ts";

const ACCEPT = "accept: text/event-stream\r\n";
const NOTHING = { openStreams: 0, clients: 0, running: 0, attended: 0 };

/** A client whose turn waits at the gate. */
async function startBlocked(world: HttpWorld, port: number) {
  const client = rawClient(port, rawPost("/agents/echo", says("a block b"), ACCEPT));
  await world.gate.reached();
  const id = /x-agents-turn-id: (\S+)/.exec(await client.until("\r\n\r\n"))?.[1] as string;
  return { client, id };
}

describe("a client that leaves", () => {
  it("leaves its turn running, and can come back to it", async () => {
    const world = createHttpWorld();
    const { port, handler } = await open(world);
    const { client, id } = await startBlocked(world, port);
    client.socket.destroy();
    await eventually(() => handler.activity.running === 1);
    await world.clock.advance(29_999);
    expect(await world.echo.getSnapshot(id)).toMatchObject({ status: "pending" });
    world.gate.open();
    expect(await world.echo.waitForSnapshot(id)).toMatchObject({ status: "completed", finishReason: "stop" });
    await eventually(() => handler.activity.running === 0);
    expect(handler.activity).toEqual(NOTHING);
    expect(world.clock.pendingTimers).toBe(0);
  });

  it("has its turn aborted when nobody follows it for 30 seconds", async () => {
    const world = createHttpWorld();
    const { port, handler } = await open(world);
    const { client, id } = await startBlocked(world, port);
    client.socket.destroy();
    await eventually(() => handler.activity.running === 1);
    await world.clock.advance(30_000);
    expect(await world.echo.waitForSnapshot(id)).toMatchObject({ status: "aborted" });
    expect(world.aborted).toHaveLength(1);
    await eventually(() => handler.activity.running === 0);
    expect(handler.activity).toEqual(NOTHING);
  });

  it("has the same done for it when it did not stream", async () => {
    const world = createHttpWorld();
    const { port, handler } = await open(world);
    const client = rawClient(port, rawPost("/agents/echo", says("block", { sessionId: "s" })));
    await world.gate.reached();
    client.socket.destroy();
    await eventually(() => handler.activity.running === 1);
    await world.clock.advance(30_000);
    await eventually(() => world.aborted.length === 1);
    await eventually(() => handler.activity.running === 0);
    expect(handler.activity).toEqual(NOTHING);
  });

  it("has time that counts anew from when the last follower left", async () => {
    const world = createHttpWorld();
    const { port, handler } = await open(world);
    const { client, id } = await startBlocked(world, port);
    client.socket.destroy();
    await eventually(() => handler.activity.running === 1);
    const request = `GET /agents/echo/turns/${id}/stream HTTP/1.1\r\nhost: localhost\r\n\r\n`;
    const followers = [rawClient(port, request), rawClient(port, request)];
    for (const follower of followers) await follower.until("data: ");
    await world.clock.advance(100_000);
    followers[0]?.socket.destroy();
    await eventually(() => handler.activity.openStreams === 1);
    await world.clock.advance(100_000);
    expect(await world.echo.getSnapshot(id)).toMatchObject({ status: "pending" });
    followers[1]?.socket.destroy();
    await eventually(() => handler.activity.openStreams === 0);
    await world.clock.advance(29_999);
    expect(await world.echo.getSnapshot(id)).toMatchObject({ status: "pending" });
    await world.clock.advance(1);
    expect(await world.echo.waitForSnapshot(id)).toMatchObject({ status: "aborted" });
  });

  it("keeps its turn going by waiting for it instead", async () => {
    const world = createHttpWorld();
    const { port, url, handler } = await open(world);
    const { client, id } = await startBlocked(world, port);
    const waiting = post(`${url}/agents/echo/waitForSnapshot`, { data: { snapshotId: id } });
    await eventually(() => handler.activity.clients === 2);
    client.socket.destroy();
    await eventually(() => handler.activity.running === 1);
    await world.clock.advance(60_000);
    world.gate.open();
    expect(await (await waiting).json()).toMatchObject({ result: { status: "completed" } });
  });

  it("has its turn aborted at once where the time is 0", async () => {
    const world = createHttpWorld();
    const { port } = await open(world, { onDisconnect: { abortAfterMs: 0 } });
    const { client, id } = await startBlocked(world, port);
    client.socket.destroy();
    expect(await world.echo.waitForSnapshot(id)).toMatchObject({ status: "aborted" });
  });

  it("has its turn aborted at once where there is no log to come back to", async () => {
    const { events: _, ...store } = createMemoryStore();
    const world = createHttpWorld({ store });
    const { port } = await open(world);
    const { client, id } = await startBlocked(world, port);
    client.socket.destroy();
    expect(await world.echo.waitForSnapshot(id)).toMatchObject({ status: "aborted" });
  });

  it("has its turn aborted at once where it carries the state itself", async () => {
    const world = createHttpWorld({ stateManagement: "client" });
    const { port, handler } = await open(world);
    const client = rawClient(port, rawPost("/agents/echo", says("block"), ACCEPT));
    await world.gate.reached();
    client.socket.destroy();
    await eventually(() => world.aborted.length === 1);
    await eventually(() => handler.activity.running === 0);
    expect(handler.activity).toEqual(NOTHING);
  });
});

describe("an explicit stop", () => {
  it("is seen by a turn at once, and by the client that streams it", async () => {
    const world = createHttpWorld();
    const { port, url } = await open(world);
    const { client, id } = await startBlocked(world, port);
    const stopped = await post(`${url}/agents/echo/abort`, { data: { snapshotId: id } });
    expect(await stopped.json()).toEqual({
      result: { snapshotId: id, previousStatus: "pending", status: "aborting" },
    });
    // No clock was moved: nothing was waited for.
    expect(await client.until('"result"')).toContain('"finishReason":"aborted"');
    expect(await world.echo.getSnapshot(id)).toMatchObject({ status: "aborted" });
  });
});
