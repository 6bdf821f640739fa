import { collect, collectUntil, createManualClock } from "@agents/testing";
import { describe, expect, it } from "vitest";
import { isFollow, openHeld, says, until } from "../../test/held-turn.ts";
import { openWorld, recordWaits, texts } from "../../test/world.ts";

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
