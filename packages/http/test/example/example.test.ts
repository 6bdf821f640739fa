import type { AddressInfo } from "node:net";
import { Hono } from "hono";
import { describe, expect, it, onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { createHandler } from "../../src/index.ts";
import { createHttpWorld, oldClientFrames, post, says } from "../http-world.ts";
import { expressServer } from "./express.ts";
import { fastifyServer } from "./fastify.ts";
import { GET, POST } from "./next-route.ts";

async function tryOut(url: string): Promise<void> {
  const unary = await post(`${url}/api/agents/echo`, says("hi"), { headers: { "content-type": "application/json" } });
  expect(await unary.json()).toMatchObject({ result: { message: { content: [{ text: "said hi" }] } } });
  const stream = await post(`${url}/api/agents/echo?stream=true`, says("a b"), {
    headers: { "content-type": "application/json" },
  });
  const turnId = stream.headers.get("x-agents-turn-id");
  expect(oldClientFrames(await stream.text())).toHaveLength(4);
  const again = await fetch(`${url}/api/agents/echo/turns/${turnId}/stream`);
  expect((await again.text()).match(/^id: /gm)).toHaveLength(3);
  const unknown = await post(`${url}/api/agents/none`, says("x"));
  expect([unknown.status, await unknown.json()]).toEqual([404, expect.objectContaining({ status: "NOT_FOUND" })]);
}

async function tryOutSocket(url: string): Promise<void> {
  const ws = new WebSocket(`${url.replace("http", "ws")}/api/agents/echo/connect`);
  await new Promise((resolve) => ws.once("open", resolve));
  const ended = new Promise((resolve) => ws.once("close", resolve));
  ws.send('{"type":"start"}');
  ws.send('{"type":"close"}');
  expect(await ended).toBe(1000);
}

describe("the example", () => {
  it("for Express 5 works", async () => {
    const server = expressServer([createHttpWorld().echo]).listen(0);
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await tryOut(url);
    await tryOutSocket(url);
    expect(await (await fetch(url)).text()).toBe("home");
  });

  it("for Fastify 5 works", async () => {
    const app = fastifyServer([createHttpWorld().echo]);
    onTestFinished(() => app.close());
    const url = await app.listen({ port: 0 });
    await tryOut(url);
    await tryOutSocket(url);
    expect(await (await fetch(url)).text()).toBe("home");
  });

  // Next itself is too big to install for a test: its route handlers are called with a Request, as Next does.
  it("for a Next route handler works when it is called with a Request", async () => {
    const call = (path: string, init?: RequestInit) => {
      const handle = init?.method === "POST" ? POST : GET;
      return handle(new Request(`http://localhost:3000${path}`, init));
    };
    const unary = await call("/api/agents/echo", { method: "POST", body: says("hi") });
    expect(await unary.json()).toMatchObject({ result: { message: { content: [{ text: "said hi" }] } } });
    const stream = await call("/api/agents/echo?stream=true", { method: "POST", body: says("hi") });
    expect(oldClientFrames(await stream.text())).toHaveLength(3);
    expect((await call("/api/agents")).status).toBe(200);
  });

  it("for Hono works, below a path", async () => {
    const handler = createHandler({ agents: [createHttpWorld().echo], basePath: "/api" });
    const app = new Hono().all("/api/*", (context) => handler(context.req.raw));
    const response = await app.request("/api/agents/echo?stream=true", { method: "POST", body: says("a b") });
    expect(oldClientFrames(await response.text())).toHaveLength(4);
  });
});
