import { AgentError } from "@agents/schema/error";
import { collect, collectUntil, createManualClock } from "@agents/testing";
import { describe, expect, it } from "vitest";
import { refuse } from "../../test/agent-server.ts";
import { createGate, openWorld, recordWaits, texts } from "../../test/world.ts";

/** A turn that says "a", "b", waits, and says "c". */
async function openHeld(options: Parameters<typeof openWorld>[0] = {}) {
  const world = await openWorld(options);
  const gate = createGate();
  world.server.script = async (turn) => {
    turn.text("a", "b");
    await gate.wait();
    if (!turn.aborted) turn.text("c");
    return [{ role: "model", content: [{ text: "abc" }] }];
  };
  return { ...world, gate };
}

const says = (text: string) => (chunk: object) => texts([chunk])[0] === text;
const isFollow = ({ method }: { method: string }) => method === "GET";
const isAbort = ({ url }: { url: string }) => url.endsWith("/abort");

describe("a stream", () => {
  it("gives the chunks of a turn, its id before the first, and its output", async () => {
    const { agent, server } = await openWorld();
    const named: string[] = [];
    const stream = agent.streamText("hello there", { sessionId: "s", onTurn: (id) => named.push(id) });
    expect(await stream.turnId()).toBe("turn-1");
    const chunks = await collect(stream);
    expect(texts(chunks)).toEqual(["re: ", "hello ", "there"]);
    expect(chunks.at(-1)).toEqual({ turnEnd: { finishReason: "stop", snapshotId: "turn-1" } });
    expect(await stream.output()).toMatchObject({ sessionId: "s", snapshotId: "turn-1", finishReason: "stop" });
    expect(named).toEqual(["turn-1"]);
    expect(server.requests.map(({ method, url }) => `${method} ${url}`)).toEqual(["POST /agents/a"]);
    expect(server.requests[0]?.body).toEqual({
      data: { message: { role: "user", content: [{ text: "hello there" }] } },
      init: { sessionId: "s" },
    });
  });

  it("is drained by output(), and by run and runText", async () => {
    const { agent } = await openWorld();
    expect(await agent.streamText("1").output()).toMatchObject({ finishReason: "stop" });
    expect(await agent.runText("2")).toMatchObject({ snapshotId: "turn-2" });
    expect(await agent.run({ message: { role: "user", content: [] } })).toMatchObject({ snapshotId: "turn-3" });
  });

  it("loses no chunk to an output() that was asked for first", async () => {
    const { agent } = await openWorld();
    const stream = agent.streamText("x");
    const output = stream.output();
    expect(texts(await collect(stream))).toEqual(["re: ", "x"]);
    expect(await output).toMatchObject({ finishReason: "stop" });
  });

  it("resolves with a turn that failed", async () => {
    const { agent, server } = await openWorld();
    server.script = async () => {
      throw new AgentError("RESOURCE_EXHAUSTED", "quota", { details: { left: 0 } });
    };
    const error = { status: "RESOURCE_EXHAUSTED", message: "quota", details: { left: 0 } };
    expect(await agent.runText("x")).toMatchObject({ finishReason: "failed", error });
  });

  it("gives unknown fields on, and passes over frames, comments and line ends that it does not know", async () => {
    const { agent, server } = await openWorld();
    const wire = [
      ": a comment",
      "",
      'retry: 10\r\ndata: {"message":{"modelChunk":{"content":[],"more":1}},"extra":true}\r\n\r',
      'event: x\ndata: {"unheard":"of"}\n',
      'data: {"result":{"sessionId":"s","finishReason":"stop","more":2}}\n\n',
    ].join("\n");
    server.intercept = ({ response }) => {
      response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
      response.end(wire);
      return true;
    };
    const stream = agent.streamText("x");
    expect(await collect(stream)).toEqual([{ modelChunk: { content: [], more: 1 } }]);
    expect(await stream.output()).toEqual({ sessionId: "s", finishReason: "stop", more: 2 });
  });

  it("refuses a second reader while one waits", async () => {
    const { agent, gate } = await openHeld();
    const stream = agent.streamText("x");
    const first = stream[Symbol.asyncIterator]();
    await first.next();
    await first.next();
    const waiting = first.next();
    await expect(stream[Symbol.asyncIterator]().next()).rejects.toMatchObject({ status: "FAILED_PRECONDITION" });
    gate.open();
    expect((await waiting).value).toMatchObject({ modelChunk: { content: [{ text: "c" }] } });
  });
});

describe("a stream whose connection is lost", () => {
  it("goes on behind the last chunk, and takes the output from the snapshot", async () => {
    const { agent, server, gate } = await openHeld();
    const stream = agent.streamText("x");
    const first = await collectUntil(stream.positioned(), ({ chunk }) => says("b")(chunk));
    server.cut();
    gate.open();
    const rest = await collect(stream.positioned());
    expect(texts([...first, ...rest].map(({ chunk }) => chunk))).toEqual(["a", "b", "c"]);
    expect(await stream.output()).toEqual({
      sessionId: "session-1",
      finishReason: "stop",
      snapshotId: "turn-1",
      snapshotIds: ["turn-1"],
      message: { role: "model", content: [{ text: "abc" }] },
    });
  });

  it("goes on after the server was restarted, with growing waits while it is away", async () => {
    const manual = createManualClock();
    const { clock, waits } = recordWaits(manual);
    const patience = { baseMs: 100, maxMs: 400, idleMs: 60_001, callMs: 30_001, silentTurnMs: 300_001 };
    const { agent, server, gate } = await openHeld({ clock, patience, random: () => 1 });
    const reader = agent.streamText("x")[Symbol.asyncIterator]();
    await reader.next();
    await reader.next();
    const next = reader.next();
    await server.stop();
    const pauses = () => waits.filter((ms) => ms < 1_000);
    // Each wait is set when an attempt was refused by the machine, which takes its own time.
    for (let failed = 1; failed <= 4; failed++) {
      await until(() => pauses().length === failed);
      if (failed === 4) await server.start();
      await manual.advance(pauses().at(-1) as number);
    }
    expect(pauses()).toEqual([100, 200, 400, 400]);
    gate.open();
    expect(texts([(await next).value as object])).toEqual(["c"]);
  });

  it("ends with UNAVAILABLE after so many attempts, naming turn and position", async () => {
    const { agent, server } = await openHeld({ patience: { baseMs: 0, maxMs: 0, maxAttempts: 4 } });
    const stream = agent.streamText("x");
    await collectUntil(stream, says("b"));
    await server.stop();
    const error = {
      status: "UNAVAILABLE",
      message: expect.stringContaining("turn-1"),
      details: { turnId: "turn-1", position: "1-3", attempts: 4 },
    };
    await expect(collect(stream)).rejects.toMatchObject(error);
    await expect(stream.output()).rejects.toMatchObject(error);
    await server.start();
  });

  it.each([
    ["client", "the server keeps no turn"],
    ["unlogged", "no log"],
  ] as const)("ends with an error where it cannot be joined: %s", async (mode, why) => {
    const { agent, server, gate } = await openHeld();
    server.mode = mode;
    const stream = agent.streamText("x");
    const reader = stream[Symbol.asyncIterator]();
    await reader.next();
    await reader.next();
    server.cut();
    await expect(reader.next()).rejects.toMatchObject({ status: "UNAVAILABLE", message: expect.stringContaining(why) });
    await expect(stream.output()).rejects.toMatchObject({ status: "UNAVAILABLE" });
    gate.open();
  });

  it("ends with DATA_LOSS where a stream without a turn stops before its result", async () => {
    const { agent, server } = await openWorld();
    server.intercept = ({ response }) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end('data: {"message":{"status":1}}\n\n');
      return true;
    };
    await expect(agent.runText("x")).rejects.toMatchObject({ status: "DATA_LOSS" });
  });

  it("is joined again when it brings nothing for too long, and not before a position is known", async () => {
    const clock = createManualClock();
    const { agent, server, gate } = await openHeld({ clock, patience: { idleMs: 1_000, silentTurnMs: 5_000 } });
    const reader = agent.streamText("x")[Symbol.asyncIterator]();
    await reader.next();
    await reader.next();
    const next = reader.next();
    await clock.advance(999);
    expect(server.count(isFollow)).toBe(0);
    await clock.advance(1);
    await clock.advance(250);
    const { headers } = await server.seen(isFollow);
    expect(headers["last-event-id"]).toBe("1-3");
    gate.open();
    expect(texts([(await next).value as object])).toEqual(["c"]);
  });

  it("ends with DEADLINE_EXCEEDED when a turn that cannot be joined says nothing for too long", async () => {
    const clock = createManualClock();
    const { agent, server } = await openHeld({ clock, patience: { idleMs: 1_000, silentTurnMs: 5_000 } });
    server.mode = "client";
    const reader = agent.streamText("x")[Symbol.asyncIterator]();
    await reader.next();
    await reader.next();
    const next = reader.next();
    const refused = expect(next).rejects.toMatchObject({ status: "DEADLINE_EXCEEDED" });
    await clock.advance(5_000);
    await refused;
    expect(clock.pendingTimers).toBe(0);
  });

  it("ends with what the server says of a worker that is gone", async () => {
    const { agent, server, gate } = await openHeld();
    const stream = agent.streamText("x");
    await collectUntil(stream, says("b"));
    server.intercept = ({ method, response }) => {
      const error = { status: "UNAVAILABLE", message: "Turn turn-1 has expired", details: { status: "expired" } };
      if (method === "GET") response.writeHead(200, { "content-type": "text/event-stream" });
      if (method === "GET") response.end(`data: ${JSON.stringify({ error })}\n\n`);
      return method === "GET";
    };
    await expect(stream.output()).rejects.toMatchObject({ status: "UNAVAILABLE", details: { status: "expired" } });
    gate.open();
  });
});

describe("a turn that another process took over", () => {
  it("ends a loop over chunks with ABORTED, and the next one shows it from its new beginning", async () => {
    const { agent, server, gate } = await openHeld();
    const stream = agent.streamText("x");
    expect(texts(await collectUntil(stream, says("b")))).toEqual(["a", "b"]);
    server.turn(0).restart();
    gate.open();
    await expect(collect(stream)).rejects.toMatchObject({
      status: "ABORTED",
      details: { reason: "restarted", turnId: "turn-1" },
    });
    expect(texts(await collect(stream))).toEqual(["c"]);
    expect(await stream.output()).toMatchObject({ finishReason: "stop" });
  });

  it("is a word of its own among entries", async () => {
    const { agent, server, gate } = await openHeld();
    const stream = agent.streamText("x");
    await stream.turnId();
    await gate.reached;
    server.turn(0).restart();
    gate.open();
    const entries = await collect(stream.entries());
    expect(entries.map((entry) => ("restarted" in entry ? "void" : texts([entry.chunk])[0]))).toEqual([
      "a",
      "b",
      "void",
      "c",
      undefined,
    ]);
  });
});

describe("leaving a stream", () => {
  it("closes the connection, and the next loop or output() joins the turn where it was left", async () => {
    const { agent, server, gate } = await openHeld();
    const stream = agent.streamText("x");
    await collectUntil(stream, says("b"));
    expect(await (await server.seen(({ method }) => method === "POST")).closed).toBe("cut");
    gate.open();
    expect(texts(await collect(stream))).toEqual(["c"]);
    expect((await server.seen(isFollow)).headers["last-event-id"]).toBe("1-3");
  });

  it("before the answer is there keeps the turn's id, so that it can be joined", async () => {
    const { agent } = await openHeld();
    const stream = agent.streamText("x");
    const reader = stream[Symbol.asyncIterator]();
    const next = reader.next();
    await reader.return?.();
    expect(await next).toEqual({ value: undefined, done: true });
    expect(texts(await collectUntil(stream, says("b")))).toEqual(["a", "b"]);
  });

  it("does not end a reading that output() waits for", async () => {
    const { agent, server, gate } = await openHeld();
    const stream = agent.streamText("x");
    const output = stream.output();
    await collectUntil(stream, says("b"));
    gate.open();
    expect(await output).toMatchObject({ finishReason: "stop" });
    expect(server.count(isFollow)).toBe(0);
  });

  it("at turnEnd still has the output, also where the client carries the state", async () => {
    const { agent, server } = await openWorld();
    server.mode = "client";
    const stream = agent.streamText("x");
    await collectUntil(stream, ({ turnEnd }) => turnEnd !== undefined);
    expect(await stream.output()).toMatchObject({ state: { messages: [{ role: "user" }, { role: "model" }] } });
  });

  it("where the turn cannot be joined says so to whoever comes back", async () => {
    const { agent, server, gate } = await openHeld();
    server.mode = "client";
    const stream = agent.streamText("x");
    await collectUntil(stream, says("b"));
    await expect(stream.output()).rejects.toMatchObject({ status: "FAILED_PRECONDITION" });
    gate.open();
  });
});

describe("the caller's signal", () => {
  it("aborts the turn on the server, and the output says so", async () => {
    const { agent, server, gate } = await openHeld();
    const controller = new AbortController();
    const stream = agent.streamText("x", { signal: controller.signal });
    const chunks = collect(stream);
    await stream.turnId();
    await gate.reached;
    controller.abort();
    expect((await server.seen(isAbort)).body).toEqual({ data: { snapshotId: "turn-1" } });
    gate.open();
    expect(await stream.output()).toMatchObject({ finishReason: "aborted" });
    await chunks;
  });

  it("closes the connection when the server does not say in time how the turn ended", async () => {
    const clock = createManualClock();
    const { agent, server, gate } = await openHeld({ clock });
    const controller = new AbortController();
    const stream = agent.streamText("x", { signal: controller.signal });
    await stream.turnId();
    await gate.reached;
    controller.abort(new Error("enough"));
    await server.seen(isAbort);
    const refused = expect(stream.output()).rejects.toThrow("enough");
    await clock.advance(5_000);
    await refused;
    expect(await (server.requests[0] as (typeof server.requests)[0]).closed).toBe("cut");
    gate.open();
  });

  it("rejects at once before the answer, aborts the turn that it then names, and closes", async () => {
    const { agent, server } = await openHeld();
    const answered = createGate();
    server.intercept = async ({ method, url }) => {
      if (method === "POST" && url === "/agents/a") await answered.wait();
      return false;
    };
    const controller = new AbortController();
    const stream = agent.streamText("x", { signal: controller.signal });
    await answered.reached;
    controller.abort(new Error("enough"));
    await expect(stream.output()).rejects.toThrow("enough");
    answered.open();
    expect((await server.seen(isAbort)).body).toEqual({ data: { snapshotId: "turn-1" } });
    expect(await (server.requests[0] as (typeof server.requests)[0]).closed).toBe("cut");
  });

  it("closes the connection of a turn without an id: that ends it", async () => {
    const { agent, server, gate } = await openHeld();
    server.mode = "client";
    const controller = new AbortController();
    const stream = agent.streamText("x", { signal: controller.signal });
    await stream.turnId();
    controller.abort(new Error("enough"));
    await expect(collect(stream)).rejects.toThrow("enough");
    expect(await (server.requests[0] as (typeof server.requests)[0]).closed).toBe("cut");
    expect(server.count(isAbort)).toBe(0);
    gate.open();
  });

  it("that was aborted before sends nothing", async () => {
    const { agent, server } = await openWorld();
    const signal = AbortSignal.abort(new Error("too late"));
    await expect(agent.runText("x", { signal })).rejects.toThrow("too late");
    await expect(agent.getSnapshot("turn-1", { signal })).rejects.toThrow("too late");
    await expect(collect(agent.follow("turn-1", { signal }))).rejects.toThrow("too late");
    expect(server.requests).toEqual([]);
  });
});

describe("following a turn", () => {
  it("replays from a position and goes on live, over cuts, to the end", async () => {
    const { agent, server, gate } = await openHeld();
    await agent.streamText("x").turnId();
    await gate.reached;
    const seen: string[] = [];
    for await (const entry of agent.follow("turn-1", { after: "1-2" })) {
      if ("chunk" in entry) seen.push(texts([entry.chunk])[0] ?? "end");
      if (seen.length === 1) server.cut();
      if (seen.length === 1) gate.open();
    }
    expect(seen).toEqual(["b", "c", "end"]);
  });

  it("of an unknown turn is NOT_FOUND, and without a log the server's own refusal", async () => {
    const { agent, server } = await openWorld();
    await expect(collect(agent.follow("nobody"))).rejects.toMatchObject({ status: "NOT_FOUND" });
    await agent.runText("x");
    server.mode = "unlogged";
    await expect(collect(agent.follow("turn-1"))).rejects.toMatchObject({
      status: "FAILED_PRECONDITION",
      message: "Cannot use follow: there is no log.",
    });
  });

  it.each([true, false])(
    "from its end gives nothing, with a last word of the server or without: %s",
    async (lastWord) => {
      const { agent, server } = await openWorld();
      await agent.runText("x");
      server.lastWord = lastWord;
      const { position } = server.turn(0).log.at(-1) as { position: string };
      expect(await collect(agent.follow("turn-1", { after: position }))).toEqual([]);
    },
  );

  it("closes its connection when it is left or its signal aborted", async () => {
    const { agent, server, gate } = await openHeld();
    await agent.streamText("x").turnId();
    const controller = new AbortController();
    const left = await collectUntil(agent.follow("turn-1"), () => true);
    expect(left).toHaveLength(1);
    expect(await (await server.seen(isFollow)).closed).toBe("cut");
    server.requests.length = 0;
    const following = collect(agent.follow("turn-1", { signal: controller.signal }));
    const request = await server.seen(isFollow);
    controller.abort(new Error("enough"));
    await expect(following).rejects.toThrow("enough");
    expect(await request.closed).toBe("cut");
    expect(server.count(isAbort)).toBe(0);
    gate.open();
  });
});

describe("what is wrong with a call", () => {
  it("is the server's own error, with status, message and details, and is not asked twice", async () => {
    const { agent, server } = await openWorld();
    const error = new AgentError("ABORTED", "Session s has a running turn.", { details: { snapshotId: "turn-0" } });
    server.intercept = ({ response }) => {
      refuse(response, error);
      return true;
    };
    const { status, message, details } = error;
    const stream = agent.streamText("x");
    await expect(stream.output()).rejects.toMatchObject({ status, message, details });
    await expect(collect(stream)).rejects.toMatchObject({ status });
    expect(await stream.turnId()).toBeUndefined();
    expect(server.requests).toHaveLength(1);
  });

  it.each([
    [401, "UNAUTHENTICATED"],
    [403, "PERMISSION_DENIED"],
    [404, "NOT_FOUND"],
    [413, "RESOURCE_EXHAUSTED"],
    [502, "UNAVAILABLE"],
    [418, "INVALID_ARGUMENT"],
  ])("is the nearest status where a proxy answers HTTP %i", async (httpStatus, status) => {
    const { agent, server } = await openWorld();
    server.intercept = ({ response }) => {
      response.writeHead(httpStatus, { "content-type": "text/html" });
      response.end("<h1>No</h1>");
      return true;
    };
    await expect(agent.runText("x")).rejects.toMatchObject({ status, details: { httpStatus } });
  });

  it("is UNIMPLEMENTED where something else than an agent server answers", async () => {
    const { agent, server } = await openWorld();
    server.intercept = ({ response }) => {
      response.writeHead(200, { "content-type": "text/html" });
      response.end("<h1>Hello</h1>");
      return true;
    };
    await expect(agent.runText("x")).rejects.toMatchObject({ status: "UNIMPLEMENTED" });
    await expect(agent.getSnapshot("x")).rejects.toMatchObject({ status: "UNIMPLEMENTED" });
  });

  it("is UNAVAILABLE where nobody answers, and a turn is never started twice", async () => {
    const { agent, server } = await openWorld();
    server.intercept = ({ response }) => {
      response.destroy();
      return true;
    };
    await expect(agent.runText("x")).rejects.toMatchObject({ status: "UNAVAILABLE" });
    expect(server.requests).toHaveLength(1);
  });
});

/** Lets the machine's own events happen until something is so. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}
