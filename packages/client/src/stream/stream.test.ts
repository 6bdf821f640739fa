import { AgentError } from "@agents/schema/error";
import { collect } from "@agents/testing";
import { describe, expect, it } from "vitest";
import { refuse } from "../../test/agent-server.ts";
import { openHeld } from "../../test/held-turn.ts";
import { openWorld, texts } from "../../test/world.ts";

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
