import { request } from "node:http";
import { describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { createHttpWorld, eventually, open, post, rawClient, rawPost, says } from "../../test/http-world.ts";
import { createHandler } from "../index.ts";
import { serve } from "./index.ts";

const ACCEPT = "accept: text/event-stream\r\n";

describe("serve", () => {
  it("binds to this machine only, unless callers are authenticated", async () => {
    const world = createHttpWorld();
    const { server } = await open(world);
    expect(server.address()).toMatchObject({ address: "127.0.0.1" });
    await expect(serve({ agents: [world.echo], hostname: "0.0.0.0", port: 0 })).rejects.toMatchObject({
      status: "FAILED_PRECONDITION",
      message: expect.stringContaining('"authenticate"'),
    });
    const authenticated = await open(world, { authenticate: () => ({}), hostname: "0.0.0.0" });
    expect(authenticated.server.address()).toMatchObject({ address: "0.0.0.0" });
  });

  it("answers no page whose name was made to point here", async () => {
    const { port } = await open(createHttpWorld());
    const status = (host: string) =>
      new Promise((resolve) =>
        request({ port, host: "127.0.0.1", path: "/agents", headers: { host } }, (response) => {
          response.resume();
          resolve(response.statusCode);
        }).end(),
      );
    expect(await status(`evil.example:${port}`)).toBe(403);
    expect(await status(`localhost:${port}`)).toBe(200);
    expect(await status(`[::1]:${port}`)).toBe(200);
  });

  it("rejects with what listening failed with", async () => {
    const world = createHttpWorld();
    const { port } = await open(world);
    await expect(serve({ agents: [world.echo], port })).rejects.toMatchObject({ code: "EADDRINUSE" });
  });

  it("tells whether it is there, and whether its stores are", async () => {
    const world = createHttpWorld();
    let away = false;
    const store = {
      ...world.store,
      health: async () => {
        if (away) throw new Error("postgres://secret");
        return { durable: true, warnings: [] };
      },
    };
    const { url } = await open(world, { stores: [store], authenticate: () => Promise.reject(new Error("nobody")) });
    const ask = async (path: string) => {
      const response = await fetch(`${url}${path}`);
      return [response.status, await response.json()];
    };
    expect(await ask("/healthz")).toEqual([200, { status: "ok" }]);
    expect(await ask("/readyz")).toEqual([200, { status: "ready", stores: [{ name: "memory", status: "ok" }] }]);
    away = true;
    expect(await ask("/readyz")).toEqual([
      503,
      { status: "unavailable", stores: [{ name: "memory", status: "unavailable" }] },
    ]);
    expect(await ask("/healthz")).toEqual([200, { status: "ok" }]);
  });
});

describe("close", () => {
  it("lets a turn finish for its client, takes no new work, and frees the port", async () => {
    const world = createHttpWorld();
    const { port, url, close, handler } = await open(world);
    const client = rawClient(port, rawPost("/agents/echo", says("a block b"), ACCEPT));
    const idle = rawClient(port);
    await world.gate.reached();
    await eventually(() => idle.socket.readyState === "open");
    const closed = close();
    await eventually(() => handler.activity.clients === 1);
    const late = await handler(new Request(`${url}/agents/echo`, { method: "POST", body: says("x") }));
    expect([late.status, await late.json()]).toEqual([503, expect.objectContaining({ status: "UNAVAILABLE" })]);
    await expect(fetch(`${url}/healthz`)).rejects.toThrow();
    world.gate.open();
    expect(await client.closed()).toContain('"finishReason":"stop"');
    await closed;
    await idle.closed();
    const again = await open(world, { port });
    expect((await fetch(`${again.url}/healthz`)).status).toBe(200);
  });

  it("tells followers and those who wait where to go on, at once", async () => {
    const world = createHttpWorld();
    const { port, url, close, handler } = await open(world);
    const stream = world.echo.streamText("block");
    const id = (await stream.turnId()) as string;
    await world.gate.reached();
    const follower = rawClient(port, `GET /agents/echo/turns/${id}/stream HTTP/1.1\r\nhost: localhost\r\n\r\n`);
    await follower.until("\r\n\r\n");
    const waiting = post(`${url}/agents/echo/waitForSnapshot`, { data: { snapshotId: id } });
    await eventually(() => handler.activity.clients === 2);
    await close();
    expect(follower.text).toContain(
      `data: {"error":{"status":"UNAVAILABLE","message":"The server is shutting down; connect again.","details":{"reason":"shutdown","turnId":"${id}"}}}\n\n`,
    );
    expect((await waiting).status).toBe(503);
    world.gate.open();
    await stream.output();
  });

  it("can leave turns to themselves instead, and waits until they are done", async () => {
    const world = createHttpWorld();
    const { port, close, handler } = await open(world);
    const streaming = rawClient(port, rawPost("/agents/echo", says("a block b"), ACCEPT));
    await world.gate.reached();
    const unary = rawClient(port, rawPost("/agents/echo", says("block")));
    await world.gate.reached();
    let done = false;
    const closed = close({ turns: "detach" }).then(() => {
      done = true;
    });
    const id = /x-agents-turn-id: (\S+)/.exec(await streaming.until("}}}\n\n"))?.[1] as string;
    expect(streaming.text).toContain(`"reason":"shutdown","turnId":"${id}"`);
    expect(await unary.until("}}")).toMatch(/^HTTP\/1.1 503 [\s\S]*"turnId"/);
    expect([handler.activity.running, done]).toEqual([2, false]);
    world.gate.open();
    world.gate.open();
    await closed;
    expect(await world.echo.getSnapshot(id)).toMatchObject({ status: "completed" });
  });

  it("aborts what is left at the deadline, and tells its client so", async () => {
    const world = createHttpWorld();
    const { port, close } = await open(world);
    const client = rawClient(port, rawPost("/agents/echo", says("a block"), ACCEPT));
    await world.gate.reached();
    const closed = close({ deadlineMs: 5_000 });
    await world.clock.advance(4_999);
    expect(world.aborted).toHaveLength(0);
    await world.clock.advance(1);
    expect(await client.closed()).toContain('"finishReason":"aborted"');
    await closed;
  });

  it("ends idle WebSockets without waiting for them", async () => {
    const world = createHttpWorld();
    const { port, close } = await open(world);
    const ws = new WebSocket(`ws://127.0.0.1:${port}/agents/echo/connect`);
    await new Promise((resolve) => ws.addEventListener("open", resolve, { once: true }));
    const ended = new Promise<{ code: number }>((resolve) => ws.addEventListener("close", resolve, { once: true }));
    await close();
    expect(await ended).toMatchObject({ code: 1001 });
  });

  it("is there for handlers that others serve", async () => {
    const world = createHttpWorld();
    const handler = createHandler({ agents: [world.echo], clock: world.clock, onError: () => {} });
    const answer = handler(new Request("http://x/agents/echo", { method: "POST", body: says("block") }));
    await world.gate.reached();
    const drained = handler.drain();
    expect(handler.drain()).toBe(drained);
    world.gate.open();
    await drained;
    expect((await answer).status).toBe(200);
    expect((await handler(new Request("http://x/readyz"))).status).toBe(503);
  });
});
