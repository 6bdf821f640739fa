import type { ServerResponse } from "node:http";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createEventStore } from "../test/event-store.ts";
import { createHttpWorld, type HttpWorld } from "../test/http-world.ts";
import { callTool } from "../test/tool-call.ts";
import { createToolServer } from "../test/tool-server.ts";

let world: HttpWorld;
beforeEach(async () => {
  world = await createHttpWorld();
});
afterEach(() => world.close());

describe("a server that was restarted", () => {
  it("is connected to again by the next call, which does not notice", async () => {
    const server = await world.serve();
    const source = await world.connect(server);
    const next = await world.restart(server);
    const calls = [1, 2, 3].map((b) => callTool(source, "add", { a: 1, b }));
    expect(await Promise.all(calls)).toMatchObject([2, 3, 4].map((sum) => ({ output: { sum } })));
    expect(next.sessions.size).toBe(1);
  });

  it("fails the call whose answer had begun with UNAVAILABLE, at once", async () => {
    const server = await world.serve();
    const source = await world.connect(server, {
      progress: (progress) => void world.control.say(`${progress.tool} began`),
    });
    const waiting = callTool(source, "drip");
    const rejected = expect(waiting).rejects.toMatchObject({
      status: "UNAVAILABLE",
      message: expect.stringMatching(/broke off.*not known/),
    });
    await world.control.heard("drip began");
    await world.restart(server);
    await rejected;
    expect(await callTool(source, "add", { a: 1, b: 1 })).toMatchObject({ output: { sum: 2 } });
  });

  it("fails the call that it was working on with UNAVAILABLE, at once", async () => {
    const server = await world.serve();
    const source = await world.connect(server);
    const waiting = callTool(source, "wait");
    const rejected = expect(waiting).rejects.toMatchObject({
      status: "UNAVAILABLE",
      message: expect.stringMatching(/broke off.*not known/),
    });
    await world.control.heard("wait reached");
    await world.restart(server);
    await rejected;
    expect(await callTool(source, "add", { a: 1, b: 1 })).toMatchObject({ output: { sum: 2 } });
  });

  it("and is not back yet fails calls with UNAVAILABLE until it is", async () => {
    const server = await world.serve();
    const source = await world.connect(server);
    await world.stop(server);
    await expect(callTool(source, "add", { a: 1, b: 1 })).rejects.toMatchObject({ status: "UNAVAILABLE" });
    await expect(callTool(source, "add", { a: 1, b: 1 })).rejects.toMatchObject({
      status: "UNAVAILABLE",
      message: expect.stringContaining(`${server.url}' cannot be reached (ECONNREFUSED)`),
    });
    await world.serve({ port: server.port });
    expect(await callTool(source, "add", { a: 1, b: 1 })).toMatchObject({ output: { sum: 2 } });
  });

  it("without sessions has other tools once a call has noticed", async () => {
    const server = await world.serve({ stateless: true });
    const source = await world.connect(server);
    await world.stop(server);
    await expect(callTool(source, "add", { a: 1, b: 1 })).rejects.toMatchObject({ status: "UNAVAILABLE" });
    const build = () => {
      const built = createToolServer(world.control);
      built.registerTool("fresh", {}, () => ({ content: [] }));
      return built;
    };
    await world.serve({ stateless: true, port: server.port, build });
    await callTool(source, "add", { a: 1, b: 1 });
    expect(source.tools.map(({ name }) => name)).toContain("fresh");
  });

  it.each([
    [404, "", 1],
    [400, "Bad Request: No valid session ID provided", 1],
    [404, "", 2],
  ])("and says %i %s gets the call again, once (it says so %d times)", async (status, body, times) => {
    const server = await world.serve();
    let calls = 0;
    const forgetful = async (to: string | URL, init?: RequestInit): Promise<Response> => {
      const lost = String(init?.body).includes("tools/call") && ++calls <= times;
      return lost ? new Response(body, { status }) : await fetch(to, init);
    };
    const source = await world.connect(server, { server: { url: server.url, fetch: forgetful } });
    const called = callTool(source, "add", { a: 1, b: 1 });
    if (times === 1) expect(await called).toMatchObject({ output: { sum: 2 } });
    else await expect(called).rejects.toMatchObject({ status: "UNAVAILABLE" });
    expect(calls).toBe(2);
  });

  it("is not given a call again that it may have looked at", async () => {
    const server = await world.serve();
    let calls = 0;
    const cut = async (to: string | URL, init?: RequestInit): Promise<Response> => {
      if (!String(init?.body).includes("tools/call")) return await fetch(to, init);
      calls++;
      throw new TypeError("fetch failed", { cause: Object.assign(new Error(), { code: "ECONNRESET" }) });
    };
    const source = await world.connect(server, { server: { url: server.url, fetch: cut } });
    await expect(callTool(source, "add", { a: 1, b: 1 })).rejects.toMatchObject({
      status: "UNAVAILABLE",
      message: expect.stringContaining("not known"),
    });
    expect(calls).toBe(1);
  });

  it("has other tools then, which the source has after the next call", async () => {
    const server = await world.serve();
    const source = await world.connect(server);
    await callTool(source, "grow", { name: "lost" });
    await world.restart(server);
    await callTool(source, "add", { a: 1, b: 1 });
    expect(source.tools.map(({ name }) => name)).not.toContain("lost");
  });
});

describe("an answer whose stream is cut", () => {
  it("is asked for again where the server can resume it", async () => {
    const responses: ServerResponse[] = [];
    const server = await world.serve({
      eventStore: createEventStore(),
      intercept(request, response) {
        if (request.method === "POST") responses.push(response);
        return false;
      },
      build: () => {
        const built = createToolServer(world.control);
        built.registerTool("late", {}, async ({ _meta, sendNotification }) => {
          const response = responses.at(-1);
          const progressToken = _meta?.progressToken as number;
          await sendNotification({ method: "notifications/progress", params: { progressToken, progress: 1 } });
          await world.control.heard("began");
          response?.destroy();
          await world.control.heard("resumed");
          return { content: [{ type: "text", text: "here" }] };
        });
        return built;
      },
    });
    const source = await world.connect(server, { progress: () => void world.control.say("began") });
    expect(await callTool(source, "late")).toEqual({ type: "output", output: "here" });
  });
});
