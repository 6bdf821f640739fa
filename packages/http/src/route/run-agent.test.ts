import { describe, expect, it } from "vitest";
import {
  createHttpWorld,
  dechunk,
  oldClientFrames,
  open,
  post,
  rawClient,
  rawPost,
  says,
} from "../../test/http-world.ts";

const ACCEPT = "accept: text/event-stream\r\n";

describe("POST /agents/{name}", () => {
  it("runs one turn and answers with its output", async () => {
    const world = createHttpWorld();
    const { url } = await open(world);
    const response = await post(`${url}/agents/echo`, says("hello", { sessionId: "s" }));
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/json");
    const { result } = (await response.json()) as { result: { snapshotId: string } };
    expect(result).toMatchObject({
      sessionId: "s",
      finishReason: "stop",
      message: { role: "model", content: [{ text: "said hello" }] },
    });
    expect(response.headers.get("x-agents-turn-id")).toBe(result.snapshotId);
  });

  it("streams frames of one data line and a blank line, and nothing else", async () => {
    const world = createHttpWorld();
    const { port } = await open(world);
    const client = rawClient(port, rawPost("/agents/echo", says("a b", { sessionId: "s" }), ACCEPT));
    const raw = await client.until("\r\n0\r\n\r\n");
    const id = /x-agents-turn-id: (\S+)/.exec(raw)?.[1];
    expect(raw).toMatch(/^HTTP\/1.1 200 OK\r\n/);
    expect(raw.slice(0, raw.indexOf("\r\n\r\n"))).toContain(
      "cache-control: no-cache, no-transform\r\nx-accel-buffering: no",
    );
    const result = {
      sessionId: "s",
      finishReason: "stop",
      message: { role: "model", content: [{ text: "said a b" }] },
      snapshotId: id,
      snapshotIds: [id],
    };
    expect(dechunk(raw)).toBe(
      [
        'data: {"message":{"modelChunk":{"content":[{"text":"a"}]}},"position":"1-2"}\n\n',
        'data: {"message":{"modelChunk":{"content":[{"text":"b"}]}},"position":"1-3"}\n\n',
        `data: {"message":{"turnEnd":{"snapshotId":"${id}","finishReason":"stop"}},"position":"1-4"}\n\n`,
        `data: ${JSON.stringify({ result })}\n\n`,
      ].join(""),
    );
  });

  it("is understood by clients that split at blank lines and parse from the 7th character", async () => {
    const world = createHttpWorld();
    const { url } = await open(world);
    const response = await post(`${url}/agents/echo?stream=true`, says("line\nbreak \u2028 x"));
    const frames = oldClientFrames(await response.text());
    expect(frames[0]).toEqual({ message: { modelChunk: { content: [{ text: "line\nbreak" }] } }, position: "1-2" });
    expect(Object.keys(frames.at(-1) as object)).toEqual(["result"]);
  });

  it("names the turn before the first byte of a stream", async () => {
    const world = createHttpWorld();
    const { port } = await open(world);
    const client = rawClient(port, rawPost("/agents/echo", says("block"), ACCEPT));
    await world.gate.reached();
    const head = await client.until("\r\n\r\n");
    const turnId = /x-agents-turn-id: (\S+)/.exec(head)?.[1] as string;
    expect(await world.echo.getSnapshot(turnId)).toMatchObject({ status: "pending" });
    expect(client.text.endsWith("\r\n\r\n")).toBe(true);
    world.gate.open();
    await client.until('"result"');
  });

  it("lets the query decide over the Accept header", async () => {
    const { url } = await open(createHttpWorld());
    const accept = { headers: { accept: "text/event-stream" } };
    expect((await post(`${url}/agents/echo?stream=false`, says("x"), accept)).headers.get("content-type")).toBe(
      "application/json",
    );
    expect((await post(`${url}/agents/echo`, says("x"), accept)).headers.get("content-type")).toContain("event-stream");
  });

  it.each(["", "?stream=true"])(
    "answers misuse before anything is streamed, with status and bare error (%s)",
    async (query) => {
      const { url } = await open(createHttpWorld());
      const both = await post(`${url}/agents/echo${query}`, says("x", { sessionId: "s", state: {} }));
      expect(both.status).toBe(400);
      expect(await both.json()).toEqual({
        status: "INVALID_ARGUMENT",
        message: expect.stringContaining("both 'state'"),
      });
      const state = await post(`${url}/agents/echo${query}`, says("x", { state: {} }));
      expect(await state.json()).toMatchObject({ status: "FAILED_PRECONDITION" });
      const input = await post(`${url}/agents/echo${query}`, { data: { message: { role: "model", content: [] } } });
      expect(await input.json()).toMatchObject({ message: expect.stringContaining("/message/role") });
      const envelope = await post(`${url}/agents/echo${query}`, { date: {} });
      expect(await envelope.json()).toMatchObject({ message: expect.stringContaining('"data"') });
    },
  );

  it("answers misuse of an agent whose client carries the state in the same way", async () => {
    const { url } = await open(createHttpWorld({ stateManagement: "client" }));
    const response = await post(`${url}/agents/echo?stream=true`, says("x", { sessionId: "s" }));
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ status: "FAILED_PRECONDITION" });
  });

  it("carries the state for an agent without a store, over as many chunks as there are", async () => {
    const world = createHttpWorld({ stateManagement: "client" });
    const { url } = await open(world);
    const long = Array.from({ length: 1_000 }, (_, index) => `w${index}`).join(" ");
    const frames = oldClientFrames(await (await post(`${url}/agents/echo?stream=true`, says(long))).text());
    expect(frames).toHaveLength(1_002);
    const { result } = frames.at(-1) as { result: { state: object } };
    const next = await post(`${url}/agents/echo`, says("y", { state: result.state }));
    const second = (await next.json()) as { result: { state: { messages: unknown[] } } };
    expect(second.result.state.messages).toHaveLength(4);
    expect(next.headers.get("x-agents-turn-id")).toBeNull();
  });

  it("tells of a turn that failed in its output, not as an error of HTTP", async () => {
    const { url } = await open(createHttpWorld());
    const response = await post(`${url}/agents/echo`, says("fail"));
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      result: { finishReason: "failed", error: { status: "INTERNAL", message: "it broke" } },
    });
  });

  it("refuses a second message to a session at work with 409", async () => {
    const world = createHttpWorld();
    const { url } = await open(world);
    const first = post(`${url}/agents/echo`, says("block", { sessionId: "s" }));
    await world.gate.reached();
    const second = await post(`${url}/agents/echo`, says("x", { sessionId: "s" }));
    world.gate.open();
    expect([second.status, (await first).status]).toEqual([409, 200]);
  });

  it("leaves work to itself when asked to, and answers at once", async () => {
    const world = createHttpWorld();
    const { url, handler } = await open(world);
    const body = { data: { message: user("block"), detach: true } };
    const { result } = (await (await post(`${url}/agents/echo`, body)).json()) as { result: { snapshotId: string } };
    expect(result).toMatchObject({ finishReason: "detached" });
    await world.gate.reached();
    await world.clock.advance(100_000);
    expect(await world.echo.getSnapshot(result.snapshotId)).toMatchObject({ status: "pending" });
    world.gate.open();
    expect(await world.echo.waitForSnapshot(result.snapshotId)).toMatchObject({ status: "completed" });
    expect(handler.activity).toEqual({ openStreams: 0, clients: 0, running: 0, attended: 0 });
  });
});

function user(text: string) {
  return { role: "user", content: [{ text }] };
}
