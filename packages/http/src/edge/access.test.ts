import { AgentError } from "@agents/schema/error";
import type { AgentContext } from "@agents/schema/port";
import { createIdSource, createMemoryTelemetry } from "@agents/testing";
import { describe, expect, it } from "vitest";
import { createHttpWorld, open, post, rawClient, rawPost, says } from "../../test/http-world.ts";
import { createHandler, type ErrorInfo } from "../index.ts";

/** The tenant is what the token says. */
function authenticate(request: Request): AgentContext {
  const token = request.headers.get("authorization");
  if (token === null) throw new Error("no token; the secret is hunter2");
  if (token === "blocked") throw new AgentError("PERMISSION_DENIED", "You are blocked.");
  return { scope: token, subject: `${token}-user` };
}

const as = (token: string): RequestInit => ({ headers: { authorization: token } });

describe("authentication", () => {
  it("comes first: a throw is 401, PERMISSION_DENIED is 403, and neither shows why", async () => {
    const { url } = await open(createHttpWorld(), { authenticate });
    const nobody = await post(`${url}/agents/echo`, "not even json");
    expect([nobody.status, nobody.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
    expect(await nobody.json()).toEqual({
      status: "UNAUTHENTICATED",
      message: "The request could not be authenticated.",
    });
    const blocked = await post(`${url}/agents/echo`, says("x"), as("blocked"));
    expect([blocked.status, await blocked.json()]).toEqual([
      403,
      { status: "PERMISSION_DENIED", message: "You are blocked." },
    ]);
    expect((await fetch(`${url}/openapi.json`)).status).toBe(401);
    expect((await fetch(`${url}/agents`)).status).toBe(401);
  });

  it("refuses an answer that is no context", async () => {
    const { url } = await open(createHttpWorld(), { authenticate: () => undefined as never });
    expect((await fetch(`${url}/agents`)).status).toBe(401);
  });

  it("may read a copy of the body, as the check of a signature does", async () => {
    const { url } = await open(createHttpWorld(), {
      authenticate: async (request) => ({ subject: `${(await request.clone().text()).length}` }),
    });
    expect((await post(`${url}/agents/echo`, says("x"))).status).toBe(200);
  });

  it("gives a context that reaches the agent", async () => {
    const world = createHttpWorld();
    let seen: AgentContext | undefined;
    const agent = world.agents.defineCustomAgent({ name: "who" }, async (session, { context }) => {
      seen = context;
      await session.run(async () => {});
    });
    const { url } = await open(world, { agents: [agent], authenticate });
    await post(`${url}/agents/who`, says("x"), as("acme"));
    expect(seen).toEqual({ scope: "acme", subject: "acme-user" });
  });

  it("answers for another tenant's ids as for unknown ones, on every route", async () => {
    const world = createHttpWorld();
    const { url } = await open(world, { authenticate });
    const mine = await post(`${url}/agents/echo`, says("x", { sessionId: "secret" }), as("acme"));
    const { result } = (await mine.json()) as { result: { snapshotId: string } };
    const unknownId = `${result.snapshotId.slice(0, -1)}${result.snapshotId.endsWith("0") ? "1" : "0"}`;

    const ask = async (id: string, sessionId: string): Promise<unknown[]> => {
      const answers = [
        await post(`${url}/agents/echo/getSnapshot`, { data: { snapshotId: id } }, as("other")),
        await post(`${url}/agents/echo/getSnapshot`, { data: { sessionId } }, as("other")),
        await post(`${url}/agents/echo/listSnapshots`, { data: { sessionId } }, as("other")),
        await post(`${url}/agents/echo/waitForSnapshot`, { data: { snapshotId: id } }, as("other")),
        await post(`${url}/agents/echo/abort`, { data: { snapshotId: id } }, as("other")),
        await fetch(`${url}/agents/echo/turns/${id}/stream`, as("other")),
        await post(`${url}/agents/echo`, says("x", { snapshotId: id }), as("other")),
      ];
      return Promise.all(
        answers.map(async (answer) => {
          const body = (await answer.text()).replaceAll(id, "ID").replaceAll(sessionId, "SESSION");
          return [answer.status, body.replaceAll(/"sessionId":"[^"]*"/g, "")];
        }),
      );
    };
    const foreign = await ask(result.snapshotId, "secret");
    expect(foreign).toEqual(await ask(unknownId, "nobody"));
    expect(foreign.map((answer) => (answer as [number])[0])).toEqual([404, 404, 404, 404, 200, 404, 200]);
  });
});

describe("authorization", () => {
  const authorize = ({ name, operation, context }: { name: string; operation: string; context: AgentContext }) =>
    name === "echo" || (context.subject === "admin-user" && operation !== "run");

  it("is asked per agent and operation, and hides what may not be seen from the list", async () => {
    const world = createHttpWorld();
    const hidden = createHttpWorld({ name: "hidden" }).echo;
    const { url } = await open(world, { agents: [world.echo, hidden], authenticate, authorize });
    expect((await post(`${url}/agents/echo`, says("x"), as("acme"))).status).toBe(200);
    const refused = await post(`${url}/agents/hidden`, says("x"), as("acme"));
    expect([refused.status, await refused.json()]).toEqual([
      403,
      expect.objectContaining({ message: "The caller may not run agent 'hidden'." }),
    ]);
    const names = async (token: string) =>
      ((await (await fetch(`${url}/agents`, as(token))).json()) as { agents: { name: string }[] }).agents.map(
        ({ name }) => name,
      );
    expect(await names("acme")).toEqual(["echo"]);
    expect(await names("admin")).toEqual(["echo", "hidden"]);
  });
});

describe("pages of other origins", () => {
  const from = (origin: string) => ({ headers: { origin } });

  it("are refused unless allowed, also where the browser would send cookies along", async () => {
    const { url } = await open(createHttpWorld());
    const response = await post(`${url}/agents/echo`, says("x"), from("https://evil.example"));
    expect([response.status, await response.json()]).toEqual([
      403,
      expect.objectContaining({ message: expect.stringContaining("cors.origin") }),
    ]);
    expect((await post(`${url}/agents/echo`, says("x"), from(url))).status).toBe(200);
  });

  it("are told what they may do, before they authenticate, where they are allowed", async () => {
    const origin = "https://app.example";
    const { url } = await open(createHttpWorld(), { authenticate, cors: { origin, credentials: true } });
    const preflight = await fetch(`${url}/agents/echo`, {
      method: "OPTIONS",
      headers: {
        origin,
        "access-control-request-method": "POST",
        "access-control-request-headers": "authorization, content-type",
      },
    });
    expect(preflight.status).toBe(204);
    expect(Object.fromEntries(preflight.headers)).toMatchObject({
      "access-control-allow-origin": origin,
      "access-control-allow-credentials": "true",
      "access-control-allow-headers": "authorization, content-type",
      "access-control-allow-methods": expect.stringContaining("POST"),
    });
    const response = await post(`${url}/agents/echo?stream=true`, says("x"), {
      headers: { origin, authorization: "acme" },
    });
    expect(response.headers.get("access-control-allow-origin")).toBe(origin);
    expect(response.headers.get("access-control-expose-headers")).toContain("x-agents-turn-id");
    await response.text();
    const other = await post(`${url}/agents/echo`, says("x"), from("https://evil.example"));
    expect([other.status, other.headers.get("access-control-allow-origin")]).toEqual([403, null]);
  });
});

describe("errors at the edge", () => {
  const broken = () => {
    const world = createHttpWorld();
    const flow = {
      name: "broken",
      stream: () => {
        throw new Error("postgres://admin:hunter2@db failed");
      },
    };
    return { world, flows: [flow] };
  };

  it("show nothing of what is none of ours but an id, which is on the span and with whoever logs", async () => {
    const { world, flows } = broken();
    const telemetry = createMemoryTelemetry();
    const seen: [unknown, ErrorInfo][] = [];
    const { url } = await open(world, { flows, telemetry, onError: (error, info) => seen.push([error, info]) });
    const response = await post(`${url}/flows/broken`, { data: 1 });
    const correlationId = response.headers.get("x-agents-correlation-id");
    expect([response.status, await response.json()]).toEqual([
      500,
      { status: "INTERNAL", message: "Internal error.", details: { correlationId } },
    ]);
    expect(seen).toEqual([
      [
        expect.objectContaining({ message: expect.stringContaining("hunter2") }),
        { correlationId, route: "POST /flows/{name}", httpStatus: 500, masked: true },
      ],
    ]);
    const [span] = telemetry.findSpans("HTTP POST");
    expect(span?.attributes).toMatchObject({
      "agents.correlation_id": correlationId,
      "http.route": "POST /flows/{name}",
      "http.response.status_code": 500,
    });
    expect(span?.traceId).toBe(correlationId);
  });

  it("have an id of their own where nothing is traced, those with a status of ours too", async () => {
    const { world } = broken();
    const { url } = await open(world, { ids: createIdSource(7) });
    const response = await post(`${url}/agents/none`, says("x"));
    expect(response.status).toBe(404);
    expect(response.headers.get("x-agents-correlation-id")).toBe(createIdSource(7).uuid());
  });

  it("are masked inside a stream in the same way", async () => {
    const world = createHttpWorld();
    async function* failing() {
      yield "one";
      throw new Error("hunter2");
    }
    const flow = { name: "f", stream: () => Object.assign(failing(), { output: async () => 1 }) };
    const { url } = await open(world, { flows: [flow], ids: createIdSource(1) });
    const text = await (await post(`${url}/flows/f?stream=true`, { data: 1 })).text();
    expect(text).toBe(
      `data: {"message":"one"}\n\ndata: {"error":{"status":"INTERNAL","message":"Internal error.","details":{"correlationId":"${createIdSource(1).uuid()}"}}}\n\n`,
    );
  });

  it("come with the span of a whole stream, which ends with it", async () => {
    const world = createHttpWorld();
    const telemetry = createMemoryTelemetry();
    const { port } = await open(world, { telemetry });
    const client = rawClient(port, rawPost("/agents/echo", says("block"), "accept: text/event-stream\r\n"));
    await client.until("\r\n\r\n");
    await world.gate.reached();
    expect(telemetry.spans[0]?.ended).toBe(false);
    world.gate.open();
    await client.until('"result"');
    await client.until("\r\n0\r\n");
    expect(telemetry.spans[0]?.ended).toBe(true);
  });
});

describe("options", () => {
  it("that cannot be are refused where the handler is made", () => {
    const { echo } = createHttpWorld();
    expect(() => createHandler({ agents: [echo, echo] })).toThrow("Two agents are named 'echo'");
    expect(() => createHandler({ agents: [], limits: { waitMs: 0 } })).toThrow("limits.waitMs is 0");
    expect(() => createHandler({ agents: [], limits: { jsonDepth: 2_000 } })).toThrow("1000 at most");
    expect(() => createHandler({ agents: [], basePath: "/a?b" })).toThrow("basePath");
    expect(() => createHandler({ agents: [], onDisconnect: { abortAfterMs: -1 } })).toThrow("abortAfterMs");
  });
});
