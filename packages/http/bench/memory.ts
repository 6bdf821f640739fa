import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createAgents } from "@agents/core";
import { createMemoryStore } from "@agents/store-memory";
import { type Compared, compareFigures } from "@tooling/bench";
import { serve } from "../src/node/index.ts";
import { startLoadClient } from "./load.ts";

const STREAMS = 1_000;

/** Heap of an open stream that follows a turn, against one that a bare server keeps open. */
export async function memoryFigure(): Promise<Compared> {
  const agents = createAgents({ store: createMemoryStore() });
  const waiting = agents.defineCustomAgent({ name: "waiting" }, async (session, { sendChunk, abortSignal }) => {
    await session.run(async () => {
      await sendChunk({ modelChunk: { content: [{ text: "x" }] } });
      await new Promise((resolve) => abortSignal.addEventListener("abort", resolve));
    });
  });
  const controller = new AbortController();
  const stream = waiting.streamText("go", { signal: controller.signal });
  const turnId = await stream.turnId();
  const ours = await serve({ agents: [waiting], port: 0 });
  const bare = await bareServer();
  try {
    return compareFigures({
      name: `an open SSE stream of ${STREAMS} / one of a bare node:http server`,
      ours: await bytesPerStream(ours.port, `/agents/waiting/turns/${turnId}/stream`),
      baseline: await bytesPerStream((bare.address() as AddressInfo).port, "/"),
      atMost: 4,
      unit: "bytes",
    });
  } finally {
    controller.abort();
    await stream.output();
    bare.closeAllConnections();
    bare.close();
    await ours.close();
  }
}

async function bytesPerStream(port: number, path: string): Promise<number> {
  // Once before, so that what is loaded at the first request is not counted.
  await grown(port, path, 10);
  return (await grown(port, path, STREAMS)) / STREAMS;
}

async function grown(port: number, path: string, connections: number): Promise<number> {
  const client = startLoadClient();
  const before = await heap();
  const request = `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`;
  await client.run({ port, request, connections, requests: 0 });
  const after = await heap();
  client.close();
  return after - before;
}

async function heap(): Promise<number> {
  for (let round = 0; round < 3; round++) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    global.gc?.();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

async function bareServer(): Promise<Server> {
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write("data: {}\n\n");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}
