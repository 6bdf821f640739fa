import type { AgentApi } from "@agents/schema/port";
import { createSseDecoder, type SseFrame } from "@agents/schema/sse";
import { describe, expect, it } from "vitest";
import { createHttpWorld, eventually, open, post, rawClient, says } from "../../test/http-world.ts";

function decode(text: string): SseFrame[] {
  const frames: SseFrame[] = [];
  const decoder = createSseDecoder({ onFrame: (frame) => frames.push(frame) });
  decoder.push(new TextEncoder().encode(text));
  decoder.end();
  return frames;
}

async function turnOf(url: string, text: string): Promise<string> {
  const response = await post(`${url}/agents/echo`, says(text));
  return response.headers.get("x-agents-turn-id") as string;
}

const follow = (url: string, id: string, query = "", headers = {}) =>
  fetch(`${url}/agents/echo/turns/${encodeURIComponent(id)}/stream${query}`, { headers });

describe("GET /agents/{name}/turns/{turnId}/stream", () => {
  it("replays what the turn's own client saw, each frame with its position as id, and its output", async () => {
    const { url } = await open(createHttpWorld());
    const response = await post(`${url}/agents/echo?stream=true`, says("a b c", { sessionId: "s" }));
    const seen = decode(await response.text());
    const replay = decode(await (await follow(url, response.headers.get("x-agents-turn-id") as string)).text());
    expect(replay.map(({ data }) => data)).toEqual(seen.map(({ data }) => data));
    expect(replay.map(({ id }) => id)).toEqual(["1-2", "1-3", "1-4", "1-5", undefined]);
  });

  it("goes on after the position of the query, or of Last-Event-ID, which counts more", async () => {
    const { url } = await open(createHttpWorld());
    const id = await turnOf(url, "a b c");
    const first = async (query: string, headers = {}) =>
      decode(await (await follow(url, id, query, headers)).text())[0]?.id;
    expect(await first("?after=1-3")).toBe("1-4");
    expect(await first("?after=1-3", { "last-event-id": "1-2" })).toBe("1-3");
    expect((await follow(url, id, "?after=x")).status).toBe(400);
  });

  it("goes on live, to the end of a turn whose own client has left", async () => {
    const world = createHttpWorld();
    const { url, port } = await open(world);
    const client = rawClient(
      port,
      `POST /agents/echo?stream=true HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${says("a block b").length}\r\n\r\n${says("a block b")}`,
    );
    await world.gate.reached();
    const id = /x-agents-turn-id: (\S+)/.exec(await client.until('"1-2"'))?.[1] as string;
    client.socket.destroy();
    const rejoined = await follow(url, id, "?after=1-2");
    expect(rejoined.headers.get("content-type")).toContain("text/event-stream");
    world.gate.open();
    const frames = decode(await rejoined.text()).map(({ data }) => JSON.parse(data) as { position?: string });
    expect(frames.map(({ position }) => position)).toEqual(["1-3", "1-4", "1-5", undefined]);
    expect(frames.at(-1)).toMatchObject({ result: { finishReason: "stop", message: { role: "model" } } });
  });

  it("keeps the connection alive with comments", async () => {
    const world = createHttpWorld();
    const { url, port } = await open(world);
    const running = post(`${url}/agents/echo?stream=true`, says("block"));
    const id = (await running).headers.get("x-agents-turn-id") as string;
    await world.gate.reached();
    const client = rawClient(port, `GET /agents/echo/turns/${id}/stream HTTP/1.1\r\nhost: localhost\r\n\r\n`);
    await client.until("\r\n\r\n");
    await world.clock.advance(15_000);
    await client.until(": keepalive\n\n");
    await world.clock.advance(15_000);
    await client.until((text) => text.split(": keepalive").length === 3);
    world.gate.open();
    await client.until('"result"');
    await (await running).text();
    expect(world.clock.pendingTimers).toBe(0);
  });

  it("passes on that a turn was restarted", async () => {
    const world = createHttpWorld();
    const id = (await world.echo.runText("x")).snapshotId as string;
    const restarted: AgentApi = Object.assign(Object.create(world.echo) as AgentApi, {
      async *follow() {
        yield { restarted: true as const, position: "2-3" };
      },
    });
    const { url } = await open(world, { agents: { echo: restarted } });
    const [frame] = decode(await (await follow(url, id)).text());
    expect(frame).toEqual({ id: "2-3", data: '{"restarted":true,"position":"2-3"}' });
  });

  it("tells the output of a turn that failed or was aborted", async () => {
    const world = createHttpWorld();
    const { url } = await open(world);
    const failed = await turnOf(url, "fail").then((id) => follow(url, id));
    expect(JSON.parse(decode(await failed.text()).at(-1)?.data ?? "")).toMatchObject({
      result: { finishReason: "failed", error: { message: "it broke" }, snapshotIds: [] },
    });
    const stream = world.echo.streamText("block");
    const id = (await stream.turnId()) as string;
    const following = await follow(url, id);
    await world.echo.abort(id);
    expect(JSON.parse(decode(await following.text()).at(-1)?.data ?? "")).toMatchObject({
      result: { finishReason: "aborted" },
    });
  });

  it("answers 404 for an unknown turn before anything is streamed", async () => {
    const { url } = await open(createHttpWorld());
    const response = await follow(url, "0123abcd.none");
    expect([response.status, await response.json()]).toEqual([404, expect.objectContaining({ status: "NOT_FOUND" })]);
  });

  it("says so where there is no log to follow", async () => {
    const world = createHttpWorld({ stateManagement: "client" });
    const { url } = await open(world);
    expect(await (await follow(url, "x")).json()).toMatchObject({ status: "FAILED_PRECONDITION" });
  });

  it("leaves nothing behind when followers leave", async () => {
    const world = createHttpWorld();
    const { handler, port } = await open(world);
    const stream = world.echo.streamText("block");
    const id = await stream.turnId();
    await world.gate.reached();
    const clients = Array.from({ length: 5 }, () =>
      rawClient(port, `GET /agents/echo/turns/${id}/stream HTTP/1.1\r\nhost: localhost\r\n\r\n`),
    );
    for (const client of clients) await client.until("\r\n\r\n");
    expect(handler.activity).toMatchObject({ openStreams: 5, clients: 5, attended: 1 });
    for (const { socket } of clients) socket.destroy();
    await eventually(() => handler.activity.openStreams === 0);
    expect(handler.activity).toEqual({ openStreams: 0, clients: 0, running: 0, attended: 0 });
    world.gate.open();
    await stream.output();
  });
});
