import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createAgents, NO_TELEMETRY } from "@agents/core";
import { createMemoryStore } from "@agents/store-memory";
import { describe, expect, it, onTestFinished } from "vitest";
import { createHttpWorld, eventually, open, rawClient, rawPost, says } from "../../test/http-world.ts";
import { createHandler } from "../index.ts";
import { FrameBatch } from "./frame-batch.ts";

describe("a stream", () => {
  it("slows its turn down to the pace of its reader, and goes on when the reader does", async () => {
    let sent = 0;
    const total = 4_000;
    const agents = createAgents({ store: createMemoryStore(), telemetry: NO_TELEMETRY });
    const agent = agents.defineCustomAgent({ name: "big" }, async (session, { sendChunk }) => {
      await session.run(async () => {
        for (; sent < total; sent++) await sendChunk({ modelChunk: { content: [{ text: "x".repeat(10_000) }] } });
      });
    });
    const world = createHttpWorld();
    const { port } = await open(world, { agents: [agent] });
    const client = rawClient(port, rawPost("/agents/big", says("go"), "accept: text/event-stream\r\n"));
    await client.until("data: ");
    client.socket.pause();
    client.socket.removeAllListeners("data");
    let before = -1;
    await eventually(async () => {
      if (before === sent) return true;
      before = sent;
      await new Promise((resolve) => setTimeout(resolve, 50));
      return false;
    });
    // What it sent lies in the kernel's buffers and our few: 40 MB do not.
    expect(sent).toBeLessThan(total);
    let tail = "";
    client.socket.on("data", (bytes) => {
      tail = (tail + bytes.toString("latin1", Math.max(0, bytes.length - 10))).slice(-10);
    });
    client.socket.resume();
    await eventually(() => tail.endsWith("\r\n0\r\n\r\n"));
    expect(sent).toBe(total);
  });

  it("writes the frames of one tick in one go", async () => {
    const writes: string[] = [];
    const batch = new FrameBatch({
      write: (text) => {
        writes.push(text);
        return undefined;
      },
      end: (text) => writes.push(`${text}!`),
    });
    for (const frame of ["a", "b", "c"]) expect(batch.send(frame)).toBeUndefined();
    await new Promise((resolve) => setImmediate(resolve));
    void batch.send("d");
    await batch.end();
    expect(writes).toEqual(["abc", "d!"]);
  });

  it("writes nothing more while the reader is slow, and lets whoever sends wait for it", async () => {
    const writes: string[] = [];
    let read = (): void => {};
    const batch = new FrameBatch({
      write(text) {
        writes.push(text);
        return new Promise((resolve) => {
          read = resolve;
        });
      },
      end: (text) => writes.push(`${text}!`),
    });
    const big = "x".repeat(40_000);
    const first = batch.send(big);
    const second = batch.send("b");
    expect([first, second]).toEqual([expect.any(Promise), first]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(writes).toEqual([big]);
    read();
    await second;
    expect(writes).toEqual([big, "b"]);
    const ended = batch.end();
    read();
    await ended;
    expect(writes).toEqual([big, "b", "!"]);
  });

  it("is read by pulling where the server is a web-standard one, and no faster", async () => {
    let sent = 0;
    const agents = createAgents({ telemetry: NO_TELEMETRY });
    const agent = agents.defineCustomAgent({ name: "big" }, async (session, { sendChunk }) => {
      await session.run(async () => {
        for (; sent < 4_000; sent++) await sendChunk({ modelChunk: { content: [{ text: "x".repeat(10_000) }] } });
      });
    });
    const handler = createHandler({ agents: [agent] });
    const request = new Request("http://x/agents/big?stream=true", { method: "POST", body: says("go") });
    const reader = ((await handler(request)).body as ReadableStream<Uint8Array>).getReader();
    await reader.read();
    for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(sent).toBeLessThan(200);
    await reader.cancel();
    await eventually(() => handler.activity.running === 0);
    expect(handler.activity).toEqual({ openStreams: 0, clients: 0, running: 0, attended: 0 });
  });

  it("arrives whole through a server that is none of ours", async () => {
    const world = createHttpWorld();
    const handler = createHandler({ agents: [world.echo] });
    const server = createServer(async (incoming, outgoing) => {
      const response = await handler(new Request(`http://x${incoming.url}`, { method: "POST", body: says("a b") }));
      outgoing.end(Buffer.from(await response.arrayBuffer()));
    }).listen(0);
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const text = await (await fetch(`${url}/agents/echo?stream=true`)).text();
    expect(text.split("\n\n")).toHaveLength(5);
  });
});
