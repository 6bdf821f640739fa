import { describe, expect, it, onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { createHttpWorld, eventually, type HttpWorld, open, user } from "../../test/http-world.ts";
import type { HandlerOptions } from "../index.ts";
import type { ListenOptions } from "../node/index.ts";

interface Frame {
  type: string;
  [key: string]: unknown;
}

/** A client of a connection; frames are awaited in the order they come. */
function dial(port: number, options: { path?: string; headers?: Record<string, string> } = {}) {
  const ws = new WebSocket(`ws://127.0.0.1:${port}${options.path ?? "/agents/echo/connect"}`, {
    headers: options.headers ?? {},
  });
  const frames: Frame[] = [];
  const waiting = new Set<() => void>();
  let closed: { code: number; reason: string } | undefined;
  let refused: number | undefined;
  const check = (): void => {
    for (const look of [...waiting]) look();
  };
  ws.on("message", (data) => {
    frames.push(JSON.parse(String(data)) as Frame);
    check();
  });
  ws.on("close", (code, reason) => {
    closed = { code, reason: String(reason) };
    check();
  });
  ws.on("unexpected-response", (_, response) => {
    refused = response.statusCode;
    ws.terminate();
  });
  ws.on("error", () => {});
  onTestFinished(() => ws.terminate());
  const wait = <T>(find: () => T | undefined): Promise<T> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const found = find();
        if (found === undefined && closed === undefined) return;
        waiting.delete(look);
        if (found === undefined) reject(new Error(`Closed with ${JSON.stringify(closed)}: ${JSON.stringify(frames)}`));
        else resolve(found);
      };
      waiting.add(look);
      look();
    });
  return {
    ws,
    frames,
    opened: () => new Promise((resolve) => ws.once("open", resolve)),
    send: (frame: object) => ws.send(JSON.stringify(frame)),
    frame: (type: string, nth = 1) => wait(() => frames.filter((one) => one.type === type)[nth - 1]),
    closed: () => wait(() => closed),
    refused: async () => {
      await wait(() => closed);
      return refused;
    },
  };
}

const input = (text: string, more: object = {}) => ({ type: "input", input: { message: user(text), ...more } });

async function start(world: HttpWorld, options: Partial<HandlerOptions> & ListenOptions = {}, init?: object) {
  const server = await open(world, options);
  const client = dial(server.port);
  await client.opened();
  client.send({ type: "start", ...(init && { init }) });
  return { ...server, client };
}

describe("WS /agents/{name}/connect", () => {
  it("runs several turns in one invocation, names each, and ends with its output", async () => {
    const world = createHttpWorld();
    const { client, handler } = await start(world, {}, { sessionId: "s" });
    client.send(input("a"));
    client.send(input("b"));
    await client.frame("turn", 2);
    client.send({ type: "close" });
    const { result } = (await client.frame("result")) as Frame & { result: { snapshotIds: string[] } };
    expect(await client.closed()).toEqual({ code: 1000, reason: "done" });
    const [first, second] = result.snapshotIds;
    const model = (text: string, position: string) => ({
      type: "chunk",
      message: { modelChunk: { content: [{ text }] } },
      position,
    });
    const end = (snapshotId: string | undefined, position: string) => ({
      type: "chunk",
      message: { turnEnd: { snapshotId, finishReason: "stop" } },
      position,
    });
    expect(client.frames).toEqual([
      { type: "turn", turnId: first, turnIndex: 0 },
      model("a", "1-2"),
      end(first, "1-3"),
      { type: "turn", turnId: second, turnIndex: 1 },
      model("b", "1-2"),
      end(second, "1-3"),
      { type: "result", result: expect.objectContaining({ sessionId: "s", finishReason: "stop", snapshotId: second }) },
    ]);
    expect(handler.activity).toEqual({ openStreams: 0, clients: 0, running: 0, attended: 0 });
    await eventually(() => world.clock.pendingTimers === 0);
  });

  it("goes on from a snapshot", async () => {
    const world = createHttpWorld();
    const { snapshotId } = await world.echo.runText("first");
    const { client } = await start(world, {}, { snapshotId });
    client.send(input("second"));
    client.send({ type: "close" });
    const { result } = (await client.frame("result")) as Frame & { result: { snapshotId: string } };
    expect(await world.echo.getSnapshot(result.snapshotId)).toMatchObject({ parentId: snapshotId });
  });

  it("leaves the work to itself on detach, ahead of inputs that wait", async () => {
    const world = createHttpWorld();
    const { client } = await start(world);
    client.send(input("block"));
    client.send({ type: "input", input: { detach: true } });
    const { result } = (await client.frame("result")) as Frame & { result: { snapshotId: string } };
    expect(result).toMatchObject({ finishReason: "detached" });
    expect(await client.closed()).toMatchObject({ code: 1000 });
    await world.gate.reached();
    world.gate.open();
    expect(await world.echo.waitForSnapshot(result.snapshotId)).toMatchObject({ status: "completed" });
  });

  it("stops the turn that runs on abort", async () => {
    const world = createHttpWorld();
    const { client } = await start(world);
    client.send(input("block"));
    await world.gate.reached();
    client.send({ type: "abort" });
    expect(await client.frame("result")).toMatchObject({ result: { finishReason: "aborted" } });
    expect(await client.closed()).toMatchObject({ code: 1000 });
  });

  it("lets the turn of a client that is cut off go on, to be followed by its id", async () => {
    const world = createHttpWorld();
    const { client, handler } = await start(world);
    client.send(input("a block b"));
    const { turnId } = (await client.frame("turn")) as Frame & { turnId: string };
    await world.gate.reached();
    client.ws.terminate();
    await eventually(() => handler.activity.running === 1);
    await world.clock.advance(29_999);
    world.gate.open();
    expect(await world.echo.waitForSnapshot(turnId)).toMatchObject({ status: "completed" });
    await eventually(() => handler.activity.running === 0);
    expect(handler.activity).toEqual({ openStreams: 0, clients: 0, running: 0, attended: 0 });
  });

  it("aborts the turn of a client that is cut off when nobody follows it for 30 seconds", async () => {
    const world = createHttpWorld();
    const { client, handler } = await start(world);
    client.send(input("block"));
    const { turnId } = (await client.frame("turn")) as Frame & { turnId: string };
    await world.gate.reached();
    client.ws.terminate();
    await eventually(() => handler.activity.running === 1);
    await world.clock.advance(30_000);
    expect(await world.echo.waitForSnapshot(turnId)).toMatchObject({ status: "aborted" });
  });

  it("carries the state for an agent without a store", async () => {
    const { client } = await start(createHttpWorld({ stateManagement: "client" }));
    client.send(input("a"));
    client.send({ type: "close" });
    expect(await client.frame("result")).toMatchObject({ result: { state: { messages: [{}, {}] } } });
    expect(client.frames.map(({ type }) => type)).toEqual(["chunk", "chunk", "result"]);
  });

  it.each([
    ["what is not JSON", "{", 1008],
    ["an unknown frame", '{"type":"shout"}', 1008],
    ["an input before the start", JSON.stringify(input("x")), 1008],
  ])("answers %s with an error and closes", async (_, text, code) => {
    const { port } = await open(createHttpWorld());
    const client = dial(port);
    await client.opened();
    client.ws.send(text);
    expect(await client.frame("error")).toMatchObject({ error: { status: "INVALID_ARGUMENT" } });
    expect(await client.closed()).toMatchObject({ code });
  });

  it("answers a second start, and an input that does not fit, with an error that names it", async () => {
    const world = createHttpWorld();
    const { client, port } = await start(world);
    client.send({ type: "start" });
    expect(await client.frame("error")).toMatchObject({ error: { message: expect.stringContaining('"start"') } });
    const other = dial(port);
    await other.opened();
    other.send({ type: "start", init: { sessionId: "s", state: {} } });
    other.send(input("x"));
    expect(await other.frame("error")).toMatchObject({ error: { status: "INVALID_ARGUMENT" } });
  });

  it("closes with 1003 for binary messages and 1009 for those longer than the limit", async () => {
    const { port } = await open(createHttpWorld(), { limits: { messageBytes: 1_000 } });
    const [binary, long] = [dial(port), dial(port)];
    await Promise.all([binary.opened(), long.opened()]);
    binary.ws.send(Buffer.from("{}"));
    long.ws.send("x".repeat(1_001));
    expect(await binary.closed()).toMatchObject({ code: 1003 });
    expect(await long.closed()).toMatchObject({ code: 1009 });
  });

  it("refuses nesting that is too deep, naming the path", async () => {
    const { port } = await open(createHttpWorld(), { limits: { jsonDepth: 5 } });
    const client = dial(port);
    await client.opened();
    client.ws.send(`{"type":"start","init":${'{"a":'.repeat(50)}1${"}".repeat(50)}}`);
    expect(await client.frame("error")).toMatchObject({ error: { details: { path: "/init/a/a/a/a" } } });
  });

  it("gives up on a client that does not say how it starts, and on one that answers no ping", async () => {
    const world = createHttpWorld();
    const { port } = await open(world);
    const silent = dial(port);
    await silent.opened();
    await eventually(() => world.clock.pendingTimers === 2);
    await world.clock.advance(10_000);
    expect(await silent.frame("error")).toMatchObject({ error: { status: "DEADLINE_EXCEEDED" } });
    const deaf = dial(port);
    await deaf.opened();
    deaf.send({ type: "start" });
    deaf.send(input("block"));
    await world.gate.reached();
    // Answers no ping any more, and does not close either.
    (deaf.ws as unknown as { _autoPong: boolean })._autoPong = false;
    deaf.ws.once("ping", () => {});
    await world.clock.advance(30_000);
    await world.clock.advance(30_000);
    expect(await deaf.closed()).toMatchObject({ code: 1006 });
  });

  it("is authenticated, authorized, and limited, with the statuses of HTTP", async () => {
    const { port } = await open(createHttpWorld(), {
      authenticate: (request) => {
        const token = request.headers.get("authorization");
        if (token === null) throw new Error("no");
        return { subject: token };
      },
      authorize: ({ context }) => context.subject !== "eve",
      limits: { openStreams: 1 },
    });
    const as = (authorization: string) => dial(port, { headers: { authorization } });
    expect(await dial(port).refused()).toBe(401);
    expect(await as("eve").refused()).toBe(403);
    expect(await dial(port, { path: "/agents/none/connect", headers: { authorization: "x" } }).refused()).toBe(404);
    expect(await dial(port, { path: "/elsewhere" }).refused()).toBe(404);
    const first = as("adam");
    await first.opened();
    expect(await as("adam").refused()).toBe(429);
  });

  it("is refused to pages of other origins unless they are allowed", async () => {
    const evil = { headers: { origin: "https://evil.example" } };
    const closed = await open(createHttpWorld());
    expect(await dial(closed.port, evil).refused()).toBe(403);
    const opened = await open(createHttpWorld(), { cors: { origin: "https://evil.example" } });
    const client = dial(opened.port, evil);
    await client.opened();
  });

  it("slows a turn down to the pace of its reader", async () => {
    const world = createHttpWorld();
    let sent = 0;
    const agent = world.agents.defineCustomAgent({ name: "big" }, async (session, { sendChunk }) => {
      await session.run(async () => {
        for (; sent < 4_000; sent++) await sendChunk({ modelChunk: { content: [{ text: "x".repeat(10_000) }] } });
      });
    });
    const { port } = await open(world, { agents: [agent] });
    const client = dial(port, { path: "/agents/big/connect" });
    await client.opened();
    client.send({ type: "start" });
    client.send(input("go"));
    await client.frame("chunk");
    client.ws.pause();
    let before = -1;
    await eventually(async () => {
      if (before === sent) return true;
      before = sent;
      await new Promise((resolve) => setTimeout(resolve, 50));
      return false;
    });
    expect(sent).toBeLessThan(4_000);
    client.ws.resume();
    client.send({ type: "close" });
    await client.frame("result");
    expect(sent).toBe(4_000);
  });
});
