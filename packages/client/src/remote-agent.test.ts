import type { AgentApi } from "@agents/schema/port";
import { describe, expect, expectTypeOf, it } from "vitest";
import * as z from "zod";
import { openWorld } from "../test/world.ts";
import { listAgents, type RemoteTask, remoteAgent } from "./index.ts";

describe("remoteAgent", () => {
  it("has the surface of an agent in process, typed by the schema of its state", () => {
    const stateSchema = z.object({ n: z.number() });
    const agent = remoteAgent({ url: "http://x.test", name: "a", stateSchema, statusSchema: z.string() });
    expectTypeOf(agent).toExtend<AgentApi<{ n: number }, string>>();
    expectTypeOf(agent.chat().custom).toEqualTypeOf<{ n: number } | undefined>();
    expectTypeOf(agent.detach).returns.resolves.toEqualTypeOf<RemoteTask<{ n: number }, string>>();
    expectTypeOf(remoteAgent<{ n: number }>({ url: "", name: "a" })).toExtend<AgentApi<{ n: number }>>();
    expect(agent.metadata).toEqual({ stateManagement: "server", abortable: true });
  });

  it("refuses a URL that nothing can be sent to, and an input that JSON cannot hold", async () => {
    const invalid = expect.objectContaining({ status: "INVALID_ARGUMENT" });
    await expect(remoteAgent({ url: "/api", name: "a" }).getSnapshot("x")).rejects.toEqual(invalid);
    const message = { role: "user" as const, content: [{ data: 1n }] };
    await expect(remoteAgent({ url: "http://127.0.0.1:1", name: "a" }).run({ message })).rejects.toEqual(invalid);
  });

  it("asks nothing until it is used, and writes names and ids so that they add no path", async () => {
    const { server, another } = await openWorld();
    const agent = another({ name: "a/b?c", url: `${server.url}/` });
    expect(server.requests).toEqual([]);
    await agent.getSnapshot("x").catch(() => {});
    expect(server.requests[0]?.url).toBe("/agents/a%2Fb%3Fc/getSnapshot");
  });

  it("can be made from what the server says of its agents", async () => {
    const { server } = await openWorld();
    const metadata = { stateManagement: "client", abortable: false } as const;
    server.intercept = ({ method, url, response }) => {
      expect([method, url]).toEqual(["GET", "/agents"]);
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ agents: [{ name: "a", description: "says", metadata }] }));
      return true;
    };
    const [described] = await listAgents({ url: server.url });
    const agent = remoteAgent({ url: server.url, name: "?", ...described });
    expect([agent.name, agent.description, agent.metadata]).toEqual(["a", "says", metadata]);
    expect(agent.chat().sessionId).toBeUndefined();
  });
});
