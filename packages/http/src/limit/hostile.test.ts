import { describe, expect, it } from "vitest";
import { createHttpWorld, open, post, rawClient, rawPost, says } from "../../test/http-world.ts";

describe("hostile input", () => {
  it("that nests too deep is refused with 400, naming the path", async () => {
    const { url } = await open(createHttpWorld(), { limits: { jsonDepth: 10 } });
    const deep = `{"data":{"message":${'{"a":'.repeat(50)}1${"}".repeat(50)}}}`;
    const response = await post(`${url}/agents/echo`, deep);
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      status: "INVALID_ARGUMENT",
      message: expect.stringContaining("at /data/message/a/a/a/a/a/a/a/a: nested deeper than the limit of 10 levels"),
      details: { path: "/data/message/a/a/a/a/a/a/a/a", limit: 10 },
    });
  });

  it("that nests a million levels is refused as quickly", async () => {
    const { url } = await open(createHttpWorld());
    const response = await post(`${url}/agents/echo`, `{"data":${"[".repeat(1e6)}${"]".repeat(1e6)}}`);
    expect(response.status).toBe(400);
  });

  it("that announces a body longer than the limit is refused with 413 before it is sent", async () => {
    const { port } = await open(createHttpWorld(), { limits: { bodyBytes: 1_000 } });
    const client = rawClient(port, "POST /agents/echo HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1001\r\n\r\n");
    const raw = await client.closed();
    expect(raw).toContain("HTTP/1.1 413");
    expect(raw).toContain('"status":"RESOURCE_EXHAUSTED"');
  });

  it("that sends chunks without an end is cut off at the limit with 413", async () => {
    const { port } = await open(createHttpWorld(), { limits: { bodyBytes: 1_000 } });
    const client = rawClient(
      port,
      "POST /agents/echo HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n",
    );
    for (let piece = 0; piece < 11; piece++) client.socket.write(`64\r\n${"x".repeat(100)}\r\n`);
    expect(await client.closed()).toContain("HTTP/1.1 413");
  });

  it("with headers longer than the limit is refused with 431", async () => {
    const { port } = await open(createHttpWorld(), { limits: { headerBytes: 2_000 } });
    const client = rawClient(port, `GET /agents HTTP/1.1\r\nhost: localhost\r\nx: ${"y".repeat(3_000)}\r\n\r\n`);
    expect(await client.closed()).toMatch(/^HTTP\/1.1 431 [\s\S]*RESOURCE_EXHAUSTED/);
  });

  it("that opens more streams than the limit is refused with 429, until one ends", async () => {
    const world = createHttpWorld();
    const { url } = await open(world, { limits: { openStreams: 1 } });
    const first = await post(`${url}/agents/echo?stream=true`, says("block"));
    const second = await post(`${url}/agents/echo?stream=true`, says("x"));
    expect([second.status, second.headers.get("retry-after")]).toEqual([429, "1"]);
    expect(await second.json()).toMatchObject({ status: "RESOURCE_EXHAUSTED", details: { limit: 1 } });
    await world.gate.reached();
    world.gate.open();
    await first.text();
    const third = await post(`${url}/agents/echo?stream=true`, says("x"));
    expect(third.status).toBe(200);
    await third.text();
  });

  it("that dribbles its headers or its body is cut off with 408", async () => {
    const { port } = await open(createHttpWorld(), { headersTimeoutMs: 100, requestTimeoutMs: 200 });
    const [head, body] = [
      rawClient(port, "POST /agents/echo HTTP/1.1\r\nhost: local"),
      rawClient(port, "POST /agents/echo HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100\r\n\r\n{"),
    ];
    expect(await head.closed()).toMatch(/^HTTP\/1.1 408 [\s\S]*DEADLINE_EXCEEDED/);
    expect(await body.closed()).toContain("408");
  });

  it.each([
    "/agents/..%2fecho",
    "/agents/__proto__",
    "/agents/constructor",
    "/agents/echo/../echo",
    "//agents/echo",
    "/agents/echo%00",
    "/agents//",
  ])("that plays tricks with paths finds nothing: %s", async (path) => {
    const { port } = await open(createHttpWorld());
    const client = rawClient(port, rawPost(path, says("x")));
    const raw = await client.until('"status"');
    expect(raw).toMatch(/^HTTP\/1.1 404/);
  });

  it("whose path is not UTF-8, or whose id is none, is refused with 400", async () => {
    const { port, url } = await open(createHttpWorld());
    expect(await rawClient(port, rawPost("/agents/%ff", "{}")).until('"status"')).toMatch(/^HTTP\/1.1 400/);
    expect((await fetch(`${url}/agents/echo/turns/${"x".repeat(300)}/stream`)).status).toBe(400);
    expect((await fetch(`${url}/agents/echo/turns/%0a/stream`)).status).toBe(400);
  });

  it("that names members of Object.prototype changes nothing", async () => {
    const { url } = await open(createHttpWorld());
    const body =
      '{"data":{"message":{"role":"user","content":[{"text":"x"}],"__proto__":{"polluted":1}}},"init":{"__proto__":{"sessionId":"s"}}}';
    expect((await post(`${url}/agents/echo`, body)).status).toBe(200);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
    const inherited = '{"__proto__":{"data":{"message":{"role":"user","content":[{"text":"x"}]}}}}';
    expect((await post(`${url}/agents/echo`, inherited)).status).toBe(400);
  });

  it("that cannot set what else a call's options have", async () => {
    const { url } = await open(createHttpWorld(), { authenticate: () => ({ scope: "mine" }) });
    const init = { sessionId: "s", context: { scope: "theirs" }, signal: {}, onTurn: "x" };
    expect((await post(`${url}/agents/echo`, says("x", init))).status).toBe(200);
    const found = await post(`${url}/agents/echo/getSnapshot`, { data: { sessionId: "s" } });
    expect(found.status).toBe(200);
  });

  it.each(["", "{", "[]", "null", '"x"', "{'data':1}"])("that is no envelope is refused with 400: %s", async (body) => {
    const { url } = await open(createHttpWorld());
    const response = await post(`${url}/agents/echo`, body);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ status: "INVALID_ARGUMENT" });
  });

  it("is answered with 405 and the right methods where only the method is wrong", async () => {
    const { url } = await open(createHttpWorld());
    const response = await fetch(`${url}/agents/echo`);
    expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"]);
  });
});
