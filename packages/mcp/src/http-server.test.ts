import type { IncomingMessage, ServerResponse } from "node:http";
import type { AgentError } from "@agents/schema/error";
import { createManualClock } from "@agents/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Control, createControl } from "../test/control.ts";
import { createEventStore } from "../test/event-store.ts";
import { type HttpServer, type HttpServerOptions, startHttpServer } from "../test/http-server.ts";
import { callTool } from "../test/tool-call.ts";
import { createToolServer } from "../test/tool-server.ts";
import { type McpToolSource, type McpToolsOptions, mcpTools } from "./index.ts";
import { watchBody } from "./watch-body.ts";

let control: Control;
const servers: HttpServer[] = [];
const sources: McpToolSource[] = [];

beforeEach(async () => {
  control = await createControl();
});
afterEach(async () => {
  for (const source of sources.splice(0)) await source.close();
  for (const server of servers.splice(0)) await server.close().catch(() => {});
  control.close();
});

async function serve(options: Partial<HttpServerOptions> = {}): Promise<HttpServer> {
  const server = await startHttpServer({ build: () => createToolServer(control), ...options });
  servers.push(server);
  return server;
}

/** With a fetch that says when a stream has ended for the client, and when it asks for the rest of one. */
async function connect({ url }: HttpServer, options: Partial<McpToolsOptions> = {}): Promise<McpToolSource> {
  const source = await mcpTools({ server: { url, fetch: spy }, ...options });
  sources.push(source);
  return source;
}

async function spy(url: string | URL, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(url, init);
  if (new Headers(init.headers).has("last-event-id")) control.say("resumed");
  if (init.method !== "GET" || response.body === null) return response;
  control.say("listening");
  return new Response(
    watchBody(response.body, () => control.say("stream ended")),
    response,
  );
}

/** The server's process ends, which the client notices, and is started again on the same port. */
async function restart(server: HttpServer): Promise<void> {
  await stop(server);
  await serve({ port: server.port });
}

async function stop(server: HttpServer): Promise<void> {
  await control.heard("listening");
  await server.close();
  servers.splice(servers.indexOf(server), 1);
  await control.heard("stream ended");
}

describe("a server that is reached by HTTP", () => {
  it("gets the headers with every request, and hears the end of the session", async () => {
    const seen: (string | undefined)[] = [];
    const intercept = (request: IncomingMessage) => {
      seen.push(request.headers.authorization);
      return false;
    };
    const server = await serve({ intercept });
    const source = await mcpTools({ server: { url: server.url, headers: { Authorization: "Bearer t" } } });
    expect(await callTool(source, "add", { a: 1, b: 2 })).toMatchObject({ output: { sum: 3 } });
    expect(server.sessions.size).toBe(1);
    await source.close();
    await source.close();
    expect(server.sessions.size).toBe(0);
    expect(new Set(seen)).toEqual(new Set(["Bearer t"]));
  });

  it("is asked through the fetch of the options", async () => {
    await connect(await serve());
    await control.heard("listening");
  });

  it("is told when a call is stopped", async () => {
    const source = await connect(await serve());
    const stop = new AbortController();
    const waiting = callTool(source, "wait", {}, { signal: stop.signal });
    await control.heard("wait reached");
    stop.abort("enough");
    await expect(waiting).rejects.toBe("enough");
    await control.heard("wait stopped");
  });

  it("is told of no call that is over when the turn's signal fires later", async () => {
    const bodies: string[] = [];
    const listening = async (to: string | URL, init?: RequestInit) => {
      bodies.push(String(init?.body));
      return await fetch(to, init);
    };
    const { url } = await serve();
    const source = await mcpTools({ server: { url, fetch: listening } });
    const over = new AbortController();
    await callTool(source, "add", { a: 1, b: 2 }, { signal: over.signal });
    over.abort();
    await source.close();
    expect(bodies.filter((body) => body.includes("notifications/cancelled"))).toEqual([]);
  });

  it("fails what takes too long with DEADLINE_EXCEEDED", async () => {
    const clock = createManualClock();
    const source = await connect(await serve(), { clock, timeoutMs: 100 });
    const waiting = callTool(source, "wait");
    const rejected = expect(waiting).rejects.toMatchObject({ status: "DEADLINE_EXCEEDED" });
    await control.heard("wait reached");
    await clock.advance(100);
    await rejected;
    await control.heard("wait stopped");
  });

  it("ends calls in flight when the source is closed", async () => {
    const source = await connect(await serve());
    const waiting = callTool(source, "wait");
    const rejected = expect(waiting).rejects.toMatchObject({ status: "CANCELLED" });
    await control.heard("wait reached");
    await source.close();
    await rejected;
    await expect(callTool(source, "add")).rejects.toMatchObject({ status: "FAILED_PRECONDITION" });
  });
});

describe("a server that was restarted", () => {
  it("is connected to again by the next call, which does not notice", async () => {
    const server = await serve();
    const source = await connect(server);
    await restart(server);
    const calls = [1, 2, 3].map((b) => callTool(source, "add", { a: 1, b }));
    expect(await Promise.all(calls)).toMatchObject([2, 3, 4].map((sum) => ({ output: { sum } })));
    expect(servers.at(-1)?.sessions.size).toBe(1);
  });

  it("fails the call whose answer had begun with UNAVAILABLE, at once", async () => {
    const server = await serve();
    const source = await connect(server, { progress: (progress) => void control.say(`${progress.tool} began`) });
    const waiting = callTool(source, "drip");
    const rejected = expect(waiting).rejects.toMatchObject({
      status: "UNAVAILABLE",
      message: expect.stringMatching(/broke off.*not known/),
    });
    await control.heard("drip began");
    await restart(server);
    await rejected;
    expect(await callTool(source, "add", { a: 1, b: 1 })).toMatchObject({ output: { sum: 2 } });
  });

  it("fails the call that it was working on with UNAVAILABLE, at once", async () => {
    const server = await serve();
    const source = await connect(server);
    const waiting = callTool(source, "wait");
    const rejected = expect(waiting).rejects.toMatchObject({
      status: "UNAVAILABLE",
      message: expect.stringMatching(/broke off.*not known/),
    });
    await control.heard("wait reached");
    await restart(server);
    await rejected;
    expect(await callTool(source, "add", { a: 1, b: 1 })).toMatchObject({ output: { sum: 2 } });
  });

  it("and is not back yet fails calls with UNAVAILABLE until it is", async () => {
    const server = await serve();
    const source = await connect(server);
    await stop(server);
    await expect(callTool(source, "add", { a: 1, b: 1 })).rejects.toMatchObject({ status: "UNAVAILABLE" });
    await expect(callTool(source, "add", { a: 1, b: 1 })).rejects.toMatchObject({
      status: "UNAVAILABLE",
      message: expect.stringContaining(`${server.url}' cannot be reached (ECONNREFUSED)`),
    });
    await serve({ port: server.port });
    expect(await callTool(source, "add", { a: 1, b: 1 })).toMatchObject({ output: { sum: 2 } });
  });

  it("without sessions has other tools once a call has noticed", async () => {
    const server = await serve({ stateless: true });
    const source = await connect(server);
    await stop(server);
    await expect(callTool(source, "add", { a: 1, b: 1 })).rejects.toMatchObject({ status: "UNAVAILABLE" });
    const build = () => {
      const built = createToolServer(control);
      built.registerTool("fresh", {}, () => ({ content: [] }));
      return built;
    };
    await serve({ stateless: true, port: server.port, build });
    await callTool(source, "add", { a: 1, b: 1 });
    expect(source.tools.map(({ name }) => name)).toContain("fresh");
  });

  it.each([
    [404, "", 1],
    [400, "Bad Request: No valid session ID provided", 1],
    [404, "", 2],
  ])("and says %i %s gets the call again, once (it says so %d times)", async (status, body, times) => {
    const { url } = await serve();
    let calls = 0;
    const forgetful = async (to: string | URL, init?: RequestInit): Promise<Response> => {
      const lost = String(init?.body).includes("tools/call") && ++calls <= times;
      return lost ? new Response(body, { status }) : await fetch(to, init);
    };
    const source = await mcpTools({ server: { url, fetch: forgetful } });
    sources.push(source);
    const called = callTool(source, "add", { a: 1, b: 1 });
    if (times === 1) expect(await called).toMatchObject({ output: { sum: 2 } });
    else await expect(called).rejects.toMatchObject({ status: "UNAVAILABLE" });
    expect(calls).toBe(2);
  });

  it("is not given a call again that it may have looked at", async () => {
    const { url } = await serve();
    let calls = 0;
    const cut = async (to: string | URL, init?: RequestInit): Promise<Response> => {
      if (!String(init?.body).includes("tools/call")) return await fetch(to, init);
      calls++;
      throw new TypeError("fetch failed", { cause: Object.assign(new Error(), { code: "ECONNRESET" }) });
    };
    const source = await mcpTools({ server: { url, fetch: cut } });
    sources.push(source);
    await expect(callTool(source, "add", { a: 1, b: 1 })).rejects.toMatchObject({
      status: "UNAVAILABLE",
      message: expect.stringContaining("not known"),
    });
    expect(calls).toBe(1);
  });

  it("has other tools then, which the source has after the next call", async () => {
    const server = await serve();
    const source = await connect(server);
    await callTool(source, "grow", { name: "lost" });
    await restart(server);
    await callTool(source, "add", { a: 1, b: 1 });
    expect(source.tools.map(({ name }) => name)).not.toContain("lost");
  });
});

describe("an answer whose stream is cut", () => {
  it("is asked for again where the server can resume it", async () => {
    const responses: ServerResponse[] = [];
    const server = await serve({
      eventStore: createEventStore(),
      intercept(request, response) {
        if (request.method === "POST") responses.push(response);
        return false;
      },
      build: () => {
        const built = createToolServer(control);
        built.registerTool("late", {}, async ({ _meta, sendNotification }) => {
          const response = responses.at(-1);
          const progressToken = _meta?.progressToken as number;
          await sendNotification({ method: "notifications/progress", params: { progressToken, progress: 1 } });
          await control.heard("began");
          response?.destroy();
          await control.heard("resumed");
          return { content: [{ type: "text", text: "here" }] };
        });
        return built;
      },
    });
    const source = await connect(server, { progress: () => void control.say("began") });
    expect(await callTool(source, "late")).toEqual({ type: "output", output: "here" });
  });
});

describe("a server that cannot be connected to", () => {
  const answers = (status: number, headers = {}, body = "secret token") =>
    serve({
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
    const server = await serve();
    await server.close();
    servers.splice(0);
    await expect(mcpTools({ server: { url: server.url } })).rejects.toMatchObject({
      status: "UNAVAILABLE",
      message: expect.stringContaining("ECONNREFUSED"),
    });
  });

  it("because it stops taking the token fails the call with UNAUTHENTICATED", async () => {
    let locked = false;
    const server = await serve({
      intercept(_, response) {
        if (locked) response.writeHead(401).end();
        return locked;
      },
    });
    const source = await connect(server);
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
