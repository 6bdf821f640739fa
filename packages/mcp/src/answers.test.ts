import type { AgentChunk } from "@agents/schema/agent";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { CallToolRequestSchema, ErrorCode, ListToolsRequestSchema, McpError } from "@modelcontextprotocol/sdk/types.js";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type HttpServer, startHttpServer } from "../test/http-server.ts";
import { callTool, toolOf } from "../test/tool-call.ts";
import { createToolServer } from "../test/tool-server.ts";
import { type McpToolSource, type McpToolsOptions, mcpTools } from "./index.ts";

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

async function serve(build: () => ReturnType<typeof createToolServer> | Server): Promise<HttpServer> {
  const server = await startHttpServer({ build });
  open.push(server);
  return server;
}

async function connect(url: string, options: Partial<McpToolsOptions> = {}): Promise<McpToolSource> {
  const source = await mcpTools({ server: { url }, ...options });
  open.push(source);
  return source;
}

describe("what a tool answers", () => {
  let url: string;
  let source: McpToolSource;
  beforeEach(async () => {
    ({ url } = await serve(() => createToolServer({ say: () => {} })));
    source = await connect(url);
  });

  it("is its text, line by line", async () => {
    expect(await callTool(source, "greet", { who: "Ada" })).toEqual({
      type: "output",
      output: "Hello Ada!\nHow are you?",
    });
  });

  it("is its structured content where there is one", async () => {
    expect(await callTool(source, "add", { a: 1, b: 2 })).toEqual({ type: "output", output: { sum: 3 } });
  });

  it("is parts where it is more than text: media as data: URLs, resources with their address", async () => {
    expect(await callTool(source, "show")).toEqual({
      type: "output",
      output: [
        { text: "a pixel" },
        { media: { url: "data:image/png;base64,aGk=", contentType: "image/png" } },
        { media: { url: "data:audio/wav;base64,aGk=", contentType: "audio/wav" } },
        { text: "inside", metadata: { resource: { uri: "file:///a.txt", mimeType: "text/plain" } } },
        {
          media: { url: "data:application/octet-stream;base64,aGk=", contentType: "application/octet-stream" },
          metadata: { resource: { uri: "file:///b" } },
        },
        { data: { resource: { uri: "file:///c", name: "c" } } },
      ],
    });
  });

  it("is a correction where the result says that it is an error", async () => {
    expect(await callTool(source, "fail")).toEqual({ type: "correction", message: "The disk is full; free some." });
  });

  it("is a correction where the input does not fit, and where it is no object", async () => {
    expect(await callTool(source, "add", { a: "one" })).toMatchObject({
      type: "correction",
      message: expect.stringContaining("a"),
    });
    expect(await callTool(source, "add", [1, 2])).toMatchObject({ message: expect.stringContaining("object") });
  });

  it("comes after its progress, which is sent only when it is wanted", async () => {
    expect(await callTool(source, "count")).toMatchObject({ output: "nobody looks" });
    const chunks: AgentChunk[] = [];
    const following = await connect(url, { progress: true, prefix: "p_" });
    expect(await callTool(following, "p_count", {}, { chunks })).toMatchObject({ output: "counted" });
    expect(chunks).toEqual([
      { status: { tool: "p_count", ref: "r1", progress: 1, total: 2, message: "step 1" } },
      { status: { tool: "p_count", ref: "r1", progress: 2, total: 2, message: "step 2" } },
    ]);
    const mapped: AgentChunk[] = [];
    const own = await connect(url, {
      progress: ({ progress }) => (progress === 1 ? undefined : { status: progress }),
    });
    await callTool(own, "count", {}, { chunks: mapped });
    expect(mapped).toEqual([{ status: 2 }]);
  });

  it("is an error when a progress chunk was refused", async () => {
    const strict = await connect(url, {
      progress: () => {
        throw new Error("no such status");
      },
    });
    await expect(callTool(strict, "count")).rejects.toThrow("no such status");
  });
});

describe("the tools of a server", () => {
  it("are described as the server describes them, under names that providers take", async () => {
    const { url } = await serve(() => createToolServer({ say: () => {} }));
    const source = await connect(url, { prefix: "t_", include: ["greet", "add"] });
    expect(source.tools.map(({ name }) => name)).toEqual(["t_greet", "t_add"]);
    expect(toolOf(source, "t_add")).toMatchObject({
      description: "Adds",
      inputSchema: { type: "object", properties: { a: { type: "number" } }, required: ["a", "b"] },
      outputSchema: { type: "object", properties: { sum: { type: "number" } } },
      metadata: { mcp: { name: "add" } },
    });
    expect(source.serverInfo).toMatchObject({ name: "test-server", version: "1.2.3" });
    expect(source.instructions).toBe("Add before you grow.");
  });

  it("are chosen by a function too, and a name that the server does not have is refused", async () => {
    const { url } = await serve(() => createToolServer({ say: () => {} }));
    const source = await connect(url, { include: ({ description }) => description === "Adds" });
    expect(source.tools.map(({ name }) => name)).toEqual(["add"]);
    await expect(mcpTools({ server: { url }, include: ["add", "ad"] })).rejects.toMatchObject({
      status: "NOT_FOUND",
      message: expect.stringMatching(/names ad,.*it has greet, add/),
    });
  });

  it("check an output that a person supplied by the schema of the server", async () => {
    const { url } = await serve(() => createToolServer({ say: () => {} }));
    const add = toolOf(await connect(url), "add");
    expect(add.checkOutput?.({ sum: 3 })).toEqual({ sum: 3 });
    expect(() => add.checkOutput?.({ sum: "3" })).toThrow(expect.objectContaining({ status: "INVALID_ARGUMENT" }));
  });

  it("are called by the server's names, whatever the model knows them as", async () => {
    const { url } = await serve(() => pagedServer(["a/b", "a_b"], {}, undefined, {}, ECHO));
    const source = await connect(url, { prefix: "x." });
    const [first, second] = source.tools.map(({ name }) => name);
    expect(first).toMatch(/^x\.a_b_[0-9a-f]{8}$/);
    expect(await callTool(source, first as string)).toEqual({ type: "output", output: "a/b" });
    expect(await callTool(source, second as string)).toEqual({ type: "output", output: "a_b" });
  });

  it("are read from all pages, with schemas that say less or more than the SDK's types", async () => {
    const names = Array.from({ length: 7 }, (_, index) => `tool${index}`);
    const { url } = await serve(() => pagedServer(names, { properties: { anything: true }, $comment: "kept" }));
    const source = await connect(url);
    expect(source.tools.map(({ name }) => name)).toEqual(names);
    expect(source.tools[6]?.inputSchema).toEqual({
      type: "object",
      properties: { anything: true },
      $comment: "kept",
    });
  });

  it("are refused with a clear error when the list does not end, or names a tool twice", async () => {
    const endless = await serve(() => pagedServer(["a"], {}, () => "again"));
    await expect(mcpTools({ server: { url: endless.url } })).rejects.toThrow(/does not end/);
    const twice = await serve(() => pagedServer(["a", "a"]));
    await expect(mcpTools({ server: { url: twice.url } })).rejects.toThrow(/two tools named "a"/);
  });

  it("leave out what nobody could call, and say so", async () => {
    const told: unknown[] = [];
    const { url } = await serve(() => pagedServer(["a", "b"], {}, undefined, { b: { inputSchema: "none" } }));
    const source = await connect(url, { onError: (error) => told.push(error) });
    expect(source.tools.map(({ name }) => name)).toEqual(["a"]);
    expect(told).toMatchObject([{ status: "UNIMPLEMENTED", details: { tools: ["b"] } }]);
  });

  it("are none where the server has no tools at all", async () => {
    const { url } = await serve(() => new Server({ name: "bare", version: "1" }, { capabilities: {} }));
    expect((await connect(url)).tools).toEqual([]);
  });
});

describe("errors of the protocol", () => {
  it.each([
    [ErrorCode.MethodNotFound, "UNIMPLEMENTED"],
    [ErrorCode.InternalError, "INTERNAL"],
    // Codes that the SDK also makes up by itself: sent by a server they mean neither a lost connection nor a timeout.
    [ErrorCode.ConnectionClosed, "INTERNAL"],
    [ErrorCode.RequestTimeout, "INTERNAL"],
  ])("%i fails the call with %s", async (code, status) => {
    const { url } = await serve(() => pagedServer(["a"], {}, undefined, {}, new McpError(code, "no luck")));
    const source = await connect(url);
    await expect(callTool(source, "a")).rejects.toMatchObject({ status, message: expect.stringContaining("no luck") });
  });

  it("InvalidParams is a correction", async () => {
    const refusal = Object.assign(new Error("'x' is missing"), { code: ErrorCode.InvalidParams });
    const { url } = await serve(() => pagedServer(["a"], {}, undefined, {}, refusal));
    expect(await callTool(await connect(url), "a")).toEqual({ type: "correction", message: "'x' is missing" });
  });
});

describe("an output that does not fit the schema", () => {
  it("is a correction, so that the turn goes on", async () => {
    const lying = { a: { outputSchema: { type: "object", properties: { n: { type: "number" } } } } };
    const { url } = await serve(() =>
      pagedServer(["a"], {}, undefined, lying, { content: [], structuredContent: { n: "one" } }),
    );
    expect(await callTool(await connect(url), "a")).toMatchObject({
      type: "correction",
      message: expect.stringMatching(/output of 'a'.*number/),
    });
  });
});

/** Answers each call with the name that was called. */
const ECHO = Symbol("echo");

/** A server of the SDK's lower level, which says exactly what it is told to; three tools a page. */
function pagedServer(
  names: readonly string[],
  schema: object = {},
  next = (start: number): string | undefined => (start < names.length ? String(start) : undefined),
  more: Readonly<Record<string, object>> = {},
  answer: unknown = { content: [] },
): Server {
  const server = new Server({ name: "paged", version: "1" }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, ({ params }) => {
    const start = Number(params?.cursor ?? 0) || 0;
    const tools = names.slice(start, start + 3).map((name) => ({
      name,
      inputSchema: { type: "object", ...schema },
      ...more[name],
    }));
    return { tools, nextCursor: next(start + 3) } as never;
  });
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
    if (answer === ECHO) return { content: [{ type: "text", text: params.name }] };
    if (answer instanceof Error) throw answer;
    return answer as never;
  });
  return server;
}
