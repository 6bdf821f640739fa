import type { AgentError } from "@agents/schema/error";
import { createManualClock } from "@agents/testing";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startHttpServer } from "../test/http-server.ts";
import { createHttpWorld, type HttpWorld } from "../test/http-world.ts";
import { callTool } from "../test/tool-call.ts";
import { createToolServer } from "../test/tool-server.ts";
import { mcpTools } from "./index.ts";

let world: HttpWorld;
beforeEach(async () => {
  world = await createHttpWorld();
});
afterEach(() => world.close());

describe("a server that cannot be connected to", () => {
  const answers = (status: number, headers = {}, body = "secret token") =>
    world.serve({
      intercept: (_, response) => {
        response.writeHead(status, headers).end(body);
        return true;
      },
    });

  it.each([
    [401, "UNAUTHENTICATED", /server\.headers/],
    [403, "PERMISSION_DENIED", /403/],
    [404, "NOT_FOUND", /URL of the MCP endpoint/],
    [429, "RESOURCE_EXHAUSTED", /429/],
    [503, "UNAVAILABLE", /503/],
  ])("because it answers with %i is %s", async (status, expected, words) => {
    const { url } = await answers(status);
    const error = await mcpTools({
      server: { url: `${url}?key=hidden`, headers: { Authorization: "Bearer secret" } },
    }).catch((thrown: AgentError) => thrown as AgentError);
    expect(error).toMatchObject({ status: expected, message: expect.stringMatching(words), details: { server: url } });
    expect((error as AgentError).message).toContain(url);
    expect((error as AgentError).message).not.toMatch(/secret|hidden/);
  });

  it("because it is a web page is FAILED_PRECONDITION", async () => {
    const { url } = await answers(200, { "content-type": "text/html" }, "<p>Hello</p>");
    await expect(mcpTools({ server: { url } })).rejects.toMatchObject({ status: "FAILED_PRECONDITION" });
  });

  it("because nobody listens is UNAVAILABLE", async () => {
    const server = await startHttpServer({ build: () => createToolServer(world.control) });
    await server.close();
    await expect(mcpTools({ server: { url: server.url } })).rejects.toMatchObject({
      status: "UNAVAILABLE",
      message: expect.stringContaining("ECONNREFUSED"),
    });
  });

  it("because it stops taking the token fails the call with UNAUTHENTICATED", async () => {
    let locked = false;
    const server = await world.serve({
      intercept(_, response) {
        if (locked) response.writeHead(401).end();
        return locked;
      },
    });
    const source = await world.connect(server);
    locked = true;
    await expect(callTool(source, "add", { a: 1, b: 1 })).rejects.toMatchObject({ status: "UNAUTHENTICATED" });
    locked = false;
    expect(await callTool(source, "add", { a: 1, b: 1 })).toMatchObject({ output: { sum: 2 } });
  });

  it.each([
    [{ url: "no address" }, /no http/],
    [{ url: "file:///etc/passwd" }, /no http/],
    [{ url: "http://ada:secret@localhost/" }, /holds credentials/],
    [{ url: "http://localhost/", headers: { "X-Key": "secret\n" + "ü😀" } }, /"X-Key"/],
    [{ command: "" }, /neither/],
    [{ command: "a", url: "http://localhost/" }, /both|command and a url/],
  ])("because %j makes no sense is INVALID_ARGUMENT", async (server, words) => {
    const error = await mcpTools({ server: server as never }).catch((thrown: AgentError) => thrown as AgentError);
    expect(error).toMatchObject({ status: "INVALID_ARGUMENT", message: expect.stringMatching(words) });
    expect((error as AgentError).message).not.toContain("secret");
  });

  it.each([0, -1, Number.NaN, 2 ** 31])("because the time is %d is INVALID_ARGUMENT", async (timeoutMs) => {
    await expect(mcpTools({ server: { command: "a" }, timeoutMs })).rejects.toMatchObject({
      status: "INVALID_ARGUMENT",
    });
  });
});

describe("a server that does not list its tools", () => {
  /** Says when it was asked, and never answers. */
  const silent = () => {
    const server = new Server({ name: "silent", version: "1" }, { capabilities: { tools: {} } });
    server.setRequestHandler(ListToolsRequestSchema, () => {
      world.control.say("asked");
      return new Promise(() => {});
    });
    return server;
  };

  it("in time is DEADLINE_EXCEEDED", async () => {
    const clock = createManualClock();
    const { url } = await world.serve({ build: silent });
    const rejected = expect(mcpTools({ server: { url }, clock, timeoutMs: 50 })).rejects.toMatchObject({
      status: "DEADLINE_EXCEEDED",
      message: expect.stringContaining("list its tools"),
    });
    await world.control.heard("asked");
    await clock.advance(50);
    await rejected;
  });

  it("before the signal is aborted rejects with its reason, and its session is ended", async () => {
    const server = await world.serve({ build: silent });
    const enough = new AbortController();
    const rejected = expect(mcpTools({ server: { url: server.url }, signal: enough.signal })).rejects.toBe("enough");
    await world.control.heard("asked");
    enough.abort("enough");
    await rejected;
    expect(server.sessions.size).toBe(0);
  });
});
