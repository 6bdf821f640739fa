import { connect, type Socket } from "node:net";
import { type Agents, createAgents, NO_TELEMETRY } from "@agents/core";
import type { AgentApi, Store } from "@agents/schema/port";
import { createMemoryStore, type MemoryStore } from "@agents/store-memory";
import { createManualClock, type ManualClock } from "@agents/testing";
import { onTestFinished } from "vitest";
import type { HandlerOptions } from "../src/index.ts";
import { type ListenOptions, type RunningServer, serve } from "../src/node/index.ts";

export interface Gate {
  /** Resolves when a turn waits at the gate. */
  reached(): Promise<void>;
  /** Waits until the gate is opened, or the signal aborted. */
  wait(signal?: AbortSignal): Promise<void>;
  open(): void;
}

export interface HttpWorld {
  readonly store: MemoryStore;
  readonly agents: Agents;
  readonly gate: Gate;
  /** The handler's clock: its timers run when the test says so. */
  readonly clock: ManualClock;
  /** Says what it is told, word by word; "block" waits at the gate between two words. */
  readonly echo: AgentApi;
  /** Names of turns whose signal fired. */
  readonly aborted: string[];
}

export function createHttpWorld(options: { store?: Store; name?: string; stateManagement?: "client" } = {}): HttpWorld {
  const store = createMemoryStore();
  const agents = createAgents({ store: options.store ?? store, telemetry: NO_TELEMETRY });
  const gate = createGate();
  const aborted: string[] = [];
  const { stateManagement } = options;
  const echo = agents.defineCustomAgent(
    { name: options.name ?? "echo", description: "Repeats.", ...(stateManagement && { stateManagement }) },
    async (session, { sendChunk, abortSignal }) => {
      abortSignal.addEventListener("abort", () => aborted.push(session.sessionId));
      await session.run(async (input) => {
        const text = input.message?.content[0]?.text ?? "";
        if (text === "fail") throw new Error("it broke");
        for (const word of text.split(" ")) {
          if (word === "block") await gate.wait(abortSignal);
          await sendChunk({ modelChunk: { content: [{ text: word }] } });
        }
        session.addMessages({ role: "model", content: [{ text: `said ${text}` }] });
      });
      return session.result();
    },
  );
  return { store, agents, gate, clock: createManualClock(), echo, aborted };
}

/** A real server for the test, closed at its end. */
export async function open(
  world: HttpWorld,
  options: Partial<HandlerOptions> & ListenOptions = {},
): Promise<RunningServer> {
  const server = await serve({ agents: [world.echo], clock: world.clock, port: 0, onError: () => {}, ...options });
  onTestFinished(async () => {
    const closed = server.close({ deadlineMs: 1 });
    // The manual clock holds the deadlines.
    for (let step = 0; step < 5; step++) await world.clock.advance(2_000);
    await closed;
  });
  return server;
}

export const user = (text: string) => ({ role: "user" as const, content: [{ text }] });
export const says = (text: string, init?: object) =>
  JSON.stringify({ data: { message: user(text) }, ...(init && { init }) });

export function post(url: string, body: string | object, init: RequestInit = {}): Promise<Response> {
  return fetch(url, { method: "POST", body: typeof body === "string" ? body : JSON.stringify(body), ...init });
}

export interface RawClient {
  readonly socket: Socket;
  /** Everything received so far. */
  readonly text: string;
  /** Resolves when what was received satisfies the condition. */
  until(condition: string | ((text: string) => boolean)): Promise<string>;
  /** Resolves when the connection is closed, with everything received. */
  closed(): Promise<string>;
}

/** A client that sees bytes, and can leave or stop reading at any moment. */
export function rawClient(port: number, request?: string): RawClient {
  const socket = connect(port, "127.0.0.1");
  let text = "";
  let isClosed = false;
  const waiting = new Set<() => void>();
  const check = (): void => {
    for (const look of [...waiting]) look();
  };
  socket.on("data", (bytes) => {
    text += bytes.toString("utf8");
    check();
  });
  socket.on("error", () => {});
  socket.on("close", () => {
    isClosed = true;
    check();
  });
  onTestFinished(() => void socket.destroy());
  if (request !== undefined) socket.write(request);
  const wait = (holds: () => boolean): Promise<string> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (holds()) resolve(text);
        else if (isClosed) reject(new Error(`The connection was closed after: ${text}`));
        else return;
        waiting.delete(look);
      };
      waiting.add(look);
      look();
    });
  return {
    socket,
    get text() {
      return text;
    },
    until: (condition) => wait(() => (typeof condition === "string" ? text.includes(condition) : condition(text))),
    closed: () => wait(() => isClosed),
  };
}

export function rawPost(path: string, body: string, headers = ""): string {
  return `POST ${path} HTTP/1.1\r\nhost: localhost\r\n${headers}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

/** The bodies of chunked transfer encoding, put together. */
export function dechunk(raw: string): string {
  let rest = raw.slice(raw.indexOf("\r\n\r\n") + 4);
  let body = "";
  for (;;) {
    const end = rest.indexOf("\r\n");
    const length = Number.parseInt(rest.slice(0, end), 16);
    if (!(length > 0)) return body;
    body += rest.slice(end + 2, end + 2 + length);
    rest = rest.slice(end + 4 + length);
  }
}

/** Frames as `data` of older clients: split at blank lines, parsed from the 7th character. */
export function oldClientFrames(body: string): unknown[] {
  return body
    .split("\n\n")
    .filter((frame) => frame !== "")
    .map((frame) => JSON.parse(frame.slice("data: ".length)));
}

function createGate(): Gate {
  const arrivals = { count: 0, expected: [] as (() => void)[] };
  const held: { resolve: () => void }[] = [];
  return {
    async reached() {
      if (arrivals.count > 0) arrivals.count--;
      else await new Promise<void>((resolve) => arrivals.expected.push(resolve));
    },
    wait(signal) {
      const expecting = arrivals.expected.shift();
      if (expecting === undefined) arrivals.count++;
      else expecting();
      return new Promise((resolve, reject) => {
        const entry = { resolve };
        held.push(entry);
        const leave = (): void => {
          held.splice(held.indexOf(entry), 1);
          reject(signal?.reason);
        };
        if (signal?.aborted) leave();
        else signal?.addEventListener("abort", leave, { once: true });
      });
    },
    open: () => held.shift()?.resolve(),
  };
}

/** Resolves when the condition holds; looks again after each turn of the event loop. */
export async function eventually(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setImmediate(resolve));
}
