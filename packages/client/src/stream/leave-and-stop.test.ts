import { encodeSse } from "@agents/schema/sse";
import { collect, collectUntil, createManualClock } from "@agents/testing";
import { describe, expect, it } from "vitest";
import { isAbort, isFollow, openHeld, says } from "../../test/held-turn.ts";
import { createGate, openWorld, texts } from "../../test/world.ts";

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
    const left = createGate();
    const result = { sessionId: "s", finishReason: "stop", state: { sessionId: "s", messages: [], artifacts: [] } };
    server.intercept = async ({ response }) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(encodeSse({ data: JSON.stringify({ message: { turnEnd: { finishReason: "stop" } } }) }));
      await left.wait();
      response.end(encodeSse({ data: JSON.stringify({ result }) }));
      return true;
    };
    const stream = agent.streamText("x");
    await collectUntil(stream, ({ turnEnd }) => turnEnd !== undefined);
    left.open();
    expect(await stream.output()).toEqual(result);
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
