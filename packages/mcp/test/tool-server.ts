import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import * as z from "zod";

export interface ToolServerOptions {
  /** Tells the test what happens here, so that it need not guess or sleep. */
  readonly say: (word: string) => void;
  /** @default "test-server" */
  readonly name?: string;
}

/** A server with a tool for each thing that a tool can do. */
export function createToolServer({ say, name = "test-server" }: ToolServerOptions): McpServer {
  const server = new McpServer({ name, version: "1.2.3" }, { instructions: "Add before you grow." });
  const text = (said: string) => ({ content: [{ type: "text" as const, text: said }] });

  server.registerTool("greet", { description: "Greets", inputSchema: { who: z.string() } }, ({ who }) => ({
    content: [
      { type: "text", text: `Hello ${who}!` },
      { type: "text", text: "How are you?" },
    ],
  }));
  const sum = { description: "Adds", inputSchema: { a: z.number(), b: z.number() }, outputSchema: { sum: z.number() } };
  server.registerTool("add", sum, ({ a, b }) => ({ ...text(`${a + b}`), structuredContent: { sum: a + b } }));
  server.registerTool("fail", {}, () => ({ ...text("The disk is full; free some."), isError: true }));
  server.registerTool("show", {}, () => ({
    content: [
      { type: "text", text: "a pixel" },
      { type: "image", data: "aGk=", mimeType: "image/png" },
      { type: "audio", data: "aGk=", mimeType: "audio/wav" },
      { type: "resource", resource: { uri: "file:///a.txt", mimeType: "text/plain", text: "inside" } },
      { type: "resource", resource: { uri: "file:///b", blob: "aGk=" } },
      { type: "resource_link", uri: "file:///c", name: "c" },
    ],
  }));
  server.registerTool("wait", {}, ({ signal }) => {
    say("wait reached");
    return new Promise((resolve) => {
      signal.addEventListener("abort", () => {
        say("wait stopped");
        resolve(text("stopped"));
      });
    });
  });
  server.registerTool("drip", {}, async ({ _meta, sendNotification, signal }) => {
    const progressToken = _meta?.progressToken as number;
    await sendNotification({ method: "notifications/progress", params: { progressToken, progress: 1 } });
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    return text("stopped");
  });
  server.registerTool("crash", {}, () => process.exit(3));
  server.registerTool("count", {}, async ({ _meta, sendNotification }) => {
    const progressToken = _meta?.progressToken;
    for (const progress of progressToken === undefined ? [] : [1, 2]) {
      const params = { progressToken: progressToken as number, progress, total: 2, message: `step ${progress}` };
      await sendNotification({ method: "notifications/progress", params });
    }
    return text(progressToken === undefined ? "nobody looks" : "counted");
  });
  server.registerTool("grow", { inputSchema: { name: z.string() } }, ({ name: grown }) => {
    server.registerTool(grown, { description: "Grown" }, () => text(`I am ${grown}`));
    return text("grown");
  });
  return server;
}
