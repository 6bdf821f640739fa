import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createAgents } from "@agents/core";
import { createMemoryStore } from "@agents/store-memory";
import { type Compared, compareFigures } from "@tooling/bench";
import { serve } from "../src/node/index.ts";
import { messageFrame, resultFrame } from "../src/stream/sse-frame-text.ts";
import { type LoadClient, postRequest, startLoadClient } from "./load.ts";

const ROUNDS = 7;
const CONNECTIONS = 32;
const TURNS = 2_000;
const CHUNKS = 2_000;
const STREAMS = 24;
const STREAM_CONNECTIONS = 4;
const TEXT = "x".repeat(200);
const BODY = JSON.stringify({ data: { message: { role: "user", content: [{ text: TEXT }] } } });
const ACCEPT = "accept: text/event-stream\r\n";

/** Turns and chunks per second, against a bare server that sends the same bytes. */
export async function throughputFigures(): Promise<Compared[]> {
  const agents = serveAgents();
  const ours = await serve({ agents, port: 0 });
  const sample = await (await fetch(`${ours.url}/agents/answer`, { method: "POST", body: BODY })).text();
  const bare = await bareServer(sample);
  const load = startLoadClient();
  try {
    return [
      await measure(load, {
        name: "unary turns, memory store / bare node:http echo of the same bytes",
        unit: "turns",
        count: TURNS,
        atMost: 4,
        ours: {
          port: ours.port,
          request: postRequest("/agents/answer", BODY),
          connections: CONNECTIONS,
          requests: TURNS,
        },
        bare: { port: bare.port, request: postRequest("/unary", BODY), connections: CONNECTIONS, requests: TURNS },
      }),
      await measure(load, {
        name: "unary turns, state carried by the client / the same",
        unit: "turns",
        count: TURNS,
        atMost: 4,
        ours: {
          port: ours.port,
          request: postRequest("/agents/carried", BODY),
          connections: CONNECTIONS,
          requests: TURNS,
        },
        bare: { port: bare.port, request: postRequest("/unary", BODY), connections: CONNECTIONS, requests: TURNS },
      }),
      ...(await streamed(load, ours.port, bare.port)),
    ];
  } finally {
    load.close();
    bare.server.closeAllConnections();
    bare.server.close();
    await ours.close();
  }
}

async function streamed(load: LoadClient, ours: number, bare: number): Promise<Compared[]> {
  const figures: Compared[] = [];
  for (const [agent, what] of [
    ["chatter", "logged in memory"],
    ["chatter-carried", "no log"],
  ]) {
    figures.push(
      await measure(load, {
        name: `chunks over SSE, ${what} / bare node:http writing the same frames one by one`,
        unit: "chunks",
        count: STREAMS * CHUNKS,
        atMost: 1,
        ours: {
          port: ours,
          request: postRequest(`/agents/${agent}`, BODY, ACCEPT),
          connections: STREAM_CONNECTIONS,
          requests: STREAMS,
        },
        bare: {
          port: bare,
          request: postRequest("/stream", BODY, ACCEPT),
          connections: STREAM_CONNECTIONS,
          requests: STREAMS,
        },
      }),
    );
  }
  return figures;
}

interface Measured {
  readonly name: string;
  readonly unit: string;
  readonly count: number;
  readonly atMost: number;
  readonly ours: Parameters<LoadClient["run"]>[0];
  readonly bare: Parameters<LoadClient["run"]>[0];
}

/** Both sides in turn, so that each round has them under the same load of the machine. */
async function measure(load: LoadClient, { name, unit, count, atMost, ours, bare }: Measured): Promise<Compared> {
  const rounds: { ours: number; baseline: number; ratio: number }[] = [];
  for (let round = -2; round < ROUNDS; round++) {
    const baseline = (await load.run(bare)) * 1_000;
    const own = (await load.run(ours)) * 1_000;
    // The first two warm up.
    if (round >= 0) rounds.push({ ours: own, baseline, ratio: own / baseline });
  }
  const median = rounds.toSorted((a, b) => a.ratio - b.ratio)[Math.floor(ROUNDS / 2)];
  if (median === undefined) throw new Error("No round was measured.");
  return {
    ...compareFigures({ name, ours: median.ours, baseline: median.baseline, atMost }),
    work: { count, unit },
  };
}

function serveAgents() {
  const store = createMemoryStore({ maxEvents: 200_000 });
  const agents = createAgents({ store });
  const answering = (name: string, options: { stateManagement?: "client" } = {}) =>
    agents.defineCustomAgent({ name, ...options }, async (session) => {
      await session.run(async () => session.addMessages({ role: "model", content: [{ text: TEXT }] }));
      return session.result();
    });
  const streaming = (name: string, options: { stateManagement?: "client" } = {}) =>
    agents.defineCustomAgent({ name, ...options }, async (session, { sendChunk }) => {
      await session.run(async () => {
        for (let index = 0; index < CHUNKS; index++) await sendChunk(CHUNK);
      });
    });
  return [
    answering("answer"),
    answering("carried", { stateManagement: "client" }),
    streaming("chatter"),
    streaming("chatter-carried", { stateManagement: "client" }),
  ];
}

const CHUNK = { modelChunk: { role: "model" as const, content: [{ text: "token " }] } };

/** Reads the request whole, as anybody has to, and writes what it has ready. */
async function bareServer(unary: string): Promise<{ port: number; server: Server }> {
  const frames = Array.from({ length: CHUNKS }, (_, index) => messageFrame(CHUNK, `1-${index + 2}`));
  const last = resultFrame({ sessionId: crypto.randomUUID(), finishReason: "stop" });
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", async () => {
      Buffer.concat(pieces).toString();
      if (request.url === "/unary") {
        response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(unary) });
        response.end(unary);
        return;
      }
      response.writeHead(200, { "content-type": "text/event-stream" });
      for (const frame of frames) {
        if (!response.write(frame)) await new Promise((resolve) => response.once("drain", resolve));
      }
      response.end(last);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, port: (server.address() as AddressInfo).port };
}
