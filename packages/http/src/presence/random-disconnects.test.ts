import { expect, it } from "vitest";
import { WebSocket } from "ws";
import { createHttpWorld, eventually, open, rawClient, rawPost, says, user } from "../../test/http-world.ts";
import type { Activity } from "../index.ts";

/** Repeatable, and spread well enough. */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

it("leaves no turn, stream, timer or listener behind after a thousand disconnects at random moments", async () => {
  const world = createHttpWorld();
  const { port, handler, server } = await open(world, { onDisconnect: { abortAfterMs: 0 } });
  const random = createRandom(42);
  const text = "a b c d e f g h";

  async function leaveAtRandom(): Promise<void> {
    const kind = random(4);
    if (kind === 3) {
      const ws = new WebSocket(`ws://127.0.0.1:${port}/agents/echo/connect`);
      ws.on("error", () => {});
      const gone = new Promise((resolve) => ws.once("close", resolve));
      ws.once("open", () => {
        ws.send('{"type":"start"}');
        ws.send(JSON.stringify({ type: "input", input: { message: user(text) } }));
        for (let steps = random(6); steps > 0; steps--) setImmediate(() => {});
        setImmediate(() => ws.terminate());
      });
      await gone;
      return;
    }
    const request = rawPost("/agents/echo", says(text), kind === 0 ? "" : "accept: text/event-stream\r\n");
    // Whole or cut somewhere, and left before, during or after the answer.
    const client = rawClient(port, kind === 2 ? request.slice(0, random(request.length)) : request);
    for (let steps = random(8); steps > 0; steps--) await new Promise((resolve) => setImmediate(resolve));
    client.socket.destroy();
    await client.closed();
  }

  for (let round = 0; round < 50; round++) await Promise.all(Array.from({ length: 20 }, leaveAtRandom));
  await eventually(() => Object.values(pick(handler.activity)).every((count) => count === 0));
  await eventually(() => world.clock.pendingTimers === 0);
  const connections = () => new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)));
  await eventually(async () => (await connections()) === 0);
  expect(pick(handler.activity)).toEqual({ openStreams: 0, clients: 0, running: 0, attended: 0 });
  expect(process.listenerCount("warning")).toBeLessThan(5);
}, 60_000);

function pick({ openStreams, clients, running, attended }: Activity) {
  return { openStreams, clients, running, attended };
}
