import type { IncomingMessage } from "node:http";
import { createManualClock } from "@agents/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createHttpWorld, type HttpWorld } from "../test/http-world.ts";
import { callTool } from "../test/tool-call.ts";
import { mcpTools } from "./index.ts";

let world: HttpWorld;
beforeEach(async () => {
  world = await createHttpWorld();
});
afterEach(() => world.close());

describe("a server that is reached by HTTP", () => {
  it("gets the headers with every request, and hears the end of the session", async () => {
    const seen: (string | undefined)[] = [];
    const intercept = (request: IncomingMessage) => {
      seen.push(request.headers.authorization);
      return false;
    };
    const server = await world.serve({ intercept });
    const source = await mcpTools({ server: { url: server.url, headers: { Authorization: "Bearer t" } } });
    expect(await callTool(source, "add", { a: 1, b: 2 })).toMatchObject({ output: { sum: 3 } });
    expect(server.sessions.size).toBe(1);
    await source.close();
    await source.close();
    expect(server.sessions.size).toBe(0);
    expect(new Set(seen)).toEqual(new Set(["Bearer t"]));
  });

  it("is asked through the fetch of the options", async () => {
    await world.connect(await world.serve());
    await world.control.heard("listening");
  });

  it("is told when a call is stopped", async () => {
    const source = await world.connect(await world.serve());
    const stop = new AbortController();
    const waiting = callTool(source, "wait", {}, { signal: stop.signal });
    await world.control.heard("wait reached");
    stop.abort("enough");
    await expect(waiting).rejects.toBe("enough");
    await world.control.heard("wait stopped");
  });

  it("is told of no call that is over when the turn's signal fires later", async () => {
    const bodies: string[] = [];
    const listening = async (to: string | URL, init?: RequestInit) => {
      bodies.push(String(init?.body));
      return await fetch(to, init);
    };
    const server = await world.serve();
    const source = await world.connect(server, { server: { url: server.url, fetch: listening } });
    const over = new AbortController();
    await callTool(source, "add", { a: 1, b: 2 }, { signal: over.signal });
    over.abort();
    await source.close();
    expect(bodies.filter((body) => body.includes("notifications/cancelled"))).toEqual([]);
  });

  it("fails what takes too long with DEADLINE_EXCEEDED", async () => {
    const clock = createManualClock();
    const source = await world.connect(await world.serve(), { clock, timeoutMs: 100 });
    const waiting = callTool(source, "wait");
    const rejected = expect(waiting).rejects.toMatchObject({ status: "DEADLINE_EXCEEDED" });
    await world.control.heard("wait reached");
    await clock.advance(100);
    await rejected;
    await world.control.heard("wait stopped");
  });

  it("ends calls in flight when the source is closed", async () => {
    const source = await world.connect(await world.serve());
    const waiting = callTool(source, "wait");
    const rejected = expect(waiting).rejects.toMatchObject({ status: "CANCELLED" });
    await world.control.heard("wait reached");
    await source.close();
    await rejected;
    await expect(callTool(source, "add")).rejects.toMatchObject({ status: "FAILED_PRECONDITION" });
  });
});
