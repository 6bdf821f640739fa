import { createAgents } from "@agents/core";
import { createMemoryStore } from "@agents/store-memory";
import { createScriptedModel, type ScriptedStep, textReply } from "@agents/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Control, createControl } from "../test/control.ts";
import { type HttpServer, startHttpServer } from "../test/http-server.ts";
import { callTool } from "../test/tool-call.ts";
import { createToolServer } from "../test/tool-server.ts";
import { type McpToolSource, type McpToolsOptions, mcpTools } from "./index.ts";

let control: Control;
let server: HttpServer;
let source: McpToolSource;

beforeEach(async () => {
  control = await createControl();
  server = await startHttpServer({ build: () => createToolServer(control) });
});
afterEach(async () => {
  await source.close();
  await server.close();
  control.close();
});

async function open(options: Partial<McpToolsOptions> = {}) {
  source = await mcpTools({ server: { url: server.url }, ...options });
  return createAgents({ store: createMemoryStore() });
}

const calls = (name: string, input: unknown = {}): ScriptedStep => ({
  response: {
    message: { role: "model", content: [{ toolRequest: { name, input, ref: name } }] },
    finishReason: "stop",
  },
});

describe("an agent with the tools of a server", () => {
  it("calls them, and the model reads results and corrections", async () => {
    const agents = await open();
    const model = createScriptedModel([calls("add", { a: 1, b: 2 }), calls("fail"), textReply("done")]);
    const agent = agents.defineAgent({ name: "a", model, tools: [source] });
    expect(await agent.runText("go")).toMatchObject({ finishReason: "stop" });
    expect(model.requests[2]?.messages.filter(({ role }) => role === "tool")).toMatchObject([
      { content: [{ toolResponse: { name: "add", output: { sum: 3 } } }] },
      { content: [{ toolResponse: { output: { error: { message: "The disk is full; free some." } } } }] },
    ]);
  });

  it("has the tools that the server has when the turn starts", async () => {
    let changed = (): void => {};
    const change = new Promise<void>((resolve) => {
      changed = resolve;
    });
    const agents = await open({ onChange: () => changed() });
    const model = createScriptedModel([
      calls("grow", { name: "sprout" }),
      textReply("1"),
      calls("sprout"),
      textReply("2"),
    ]);
    const agent = agents.defineAgent({ name: "a", model, tools: [source] });
    await agent.runText("go");
    await change;
    expect(await agent.runText("again")).toMatchObject({ message: { content: [{ text: "2" }] } });
    const known = model.requests.map(({ tools }) => tools?.some(({ name }) => name === "sprout"));
    expect(known).toEqual([false, false, true, true]);
    expect(model.requests[3]?.messages.at(-1)).toMatchObject({
      content: [{ toolResponse: { output: "I am sprout" } }],
    });
  });

  it("is told of changes that another's call made, and of each only once", async () => {
    const seen: number[] = [];
    const waiting: (() => void)[] = [];
    await open({
      onChange: (tools) => {
        seen.push(tools.length);
        waiting.shift()?.();
      },
    });
    const before = source.tools;
    for (const name of ["one", "two"]) {
      const told = new Promise<void>((resolve) => waiting.push(resolve));
      await callTool(source, "grow", { name });
      await told;
    }
    expect(seen).toEqual([before.length + 1, before.length + 2]);
    expect(source.tools).not.toBe(before);
  });

  it("shares them with other agents, one session for all", async () => {
    const agents = await open();
    const outputs = await Promise.all(
      ["a", "b"].map((name, a) => {
        const model = createScriptedModel([
          calls("add", { a, b: 1 }),
          ({ messages }) => textReply(JSON.stringify(messages.at(-1))),
        ]);
        return agents.defineAgent({ name, model, tools: [source] }).runText("go");
      }),
    );
    expect(outputs.map(({ message }) => message?.content[0]?.text)).toEqual([
      expect.stringContaining('{"sum":1}'),
      expect.stringContaining('{"sum":2}'),
    ]);
    expect(server.sessions.size).toBe(1);
  });

  it("stops the call on the server when the turn is aborted", async () => {
    const agents = await open();
    const model = createScriptedModel([calls("wait")]);
    const agent = agents.defineAgent({ name: "a", model, tools: [source] });
    const stop = new AbortController();
    const output = agent.runText("go", { signal: stop.signal });
    await control.heard("wait reached");
    stop.abort();
    await control.heard("wait stopped");
    expect(await output).toMatchObject({ finishReason: "aborted" });
  });

  it("streams the progress of a call to whoever follows the turn", async () => {
    const agents = await open({ progress: true });
    const model = createScriptedModel([calls("count"), textReply("done")]);
    const agent = agents.defineAgent({ name: "a", model, tools: [source] });
    const statuses: unknown[] = [];
    for await (const { status } of agent.streamText("go")) if (status !== undefined) statuses.push(status);
    expect(statuses).toMatchObject([
      { tool: "count", progress: 1 },
      { tool: "count", progress: 2, total: 2 },
    ]);
  });
});
