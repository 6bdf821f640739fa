import { AgentError } from "@agents/schema/error";
import { createManualClock } from "@agents/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Control, createControl } from "../test/control.ts";
import { callTool } from "../test/tool-call.ts";
import { type McpToolSource, type McpToolsOptions, mcpTools } from "./index.ts";

let control: Control;
let source: McpToolSource | undefined;

beforeEach(async () => {
  control = await createControl();
});
afterEach(async () => {
  await source?.close();
  source = undefined;
  control.close();
});

async function start(options: Partial<McpToolsOptions> = {}): Promise<McpToolSource> {
  source = await mcpTools({ server: control.program, ...options });
  return source;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe("a server that is a child process", { timeout: 30_000 }, () => {
  it("answers calls, and is gone once the source is closed", async () => {
    const { tools } = await start();
    expect(tools.map(({ name }) => name)).toContain("add");
    const pid = await control.pid();
    expect(await callTool(source as McpToolSource, "add", { a: 1, b: 2 })).toMatchObject({ output: { sum: 3 } });
    expect(isAlive(pid)).toBe(true);
    await source?.close();
    expect(isAlive(pid)).toBe(false);
    await expect(callTool(source as McpToolSource, "add", { a: 1, b: 2 })).rejects.toMatchObject({
      status: "FAILED_PRECONDITION",
    });
  });

  it("is gone when a block that uses the source is left", async () => {
    const disposable = await start();
    const pid = await control.pid();
    await disposable[Symbol.asyncDispose]();
    expect(isAlive(pid)).toBe(false);
  });

  it("is killed when it does not end by itself", async () => {
    await start({ server: { ...control.program, env: { ...control.program.env, STUBBORN: "yes" } } });
    const pid = await control.pid();
    const waiting = callTool(source as McpToolSource, "wait");
    const rejected = expect(waiting).rejects.toMatchObject({ status: "CANCELLED" });
    await control.heard("wait reached");
    const closing = source?.close();
    // Calls do not wait for the process.
    await rejected;
    expect(isAlive(pid)).toBe(true);
    await closing;
    expect(isAlive(pid)).toBe(false);
  });

  it("that is killed in the middle of a call fails it with UNAVAILABLE, and is started again by the next", async () => {
    const told: AgentError[] = [];
    await start({ onError: (error) => told.push(error) });
    const pid = await control.pid();
    const waiting = callTool(source as McpToolSource, "wait");
    await control.heard("wait reached");
    process.kill(pid, "SIGKILL");
    await expect(waiting).rejects.toMatchObject({ status: "UNAVAILABLE", details: { server: process.execPath } });
    expect(told).toMatchObject([{ status: "UNAVAILABLE" }]);
    const calls = [1, 2].map((b) => callTool(source as McpToolSource, "add", { a: 1, b }));
    expect(await Promise.all(calls)).toMatchObject([{ output: { sum: 2 } }, { output: { sum: 3 } }]);
    const next = await control.pid();
    expect(next).not.toBe(pid);
    // Both calls shared one process.
    control.say("started 0");
    expect(await control.pid()).toBe(0);
  });

  it("that ends itself in the middle of a call fails it with UNAVAILABLE", async () => {
    await expect(callTool(await start(), "crash")).rejects.toMatchObject({ status: "UNAVAILABLE" });
  });

  it("is told when a call is stopped, and the call rejects with the signal's reason", async () => {
    await start();
    const stop = new AbortController();
    const reason = new AgentError("ABORTED", "enough");
    const waiting = callTool(source as McpToolSource, "wait", {}, { signal: stop.signal });
    await control.heard("wait reached");
    stop.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    await control.heard("wait stopped");
    await expect(callTool(source as McpToolSource, "wait", {}, { signal: stop.signal })).rejects.toBe(reason);
  });

  it("is told when a call takes too long, and the call rejects with DEADLINE_EXCEEDED", async () => {
    const clock = createManualClock();
    await start({ clock, timeoutMs: 5_000 });
    const waiting = callTool(source as McpToolSource, "wait");
    const rejected = expect(waiting).rejects.toMatchObject({
      status: "DEADLINE_EXCEEDED",
      details: { timeoutMs: 5_000 },
    });
    await control.heard("wait reached");
    await clock.advance(5_000);
    await rejected;
    await control.heard("wait stopped");
    expect(await callTool(source as McpToolSource, "add", { a: 1, b: 1 })).toMatchObject({ output: { sum: 2 } });
  });

  it("is ended by the signal of the options", async () => {
    const stop = new AbortController();
    await start({ signal: stop.signal });
    const pid = await control.pid();
    stop.abort();
    await source?.close();
    expect(isAlive(pid)).toBe(false);
  });
});

describe("a server that does not start", { timeout: 30_000 }, () => {
  const node = (script: string) => ({ command: process.execPath, args: ["-e", script, "--", "--token=secret"] });

  it("because there is no such command is NOT_FOUND, and the message names it", async () => {
    await expect(mcpTools({ server: { command: "no-such-mcp-server" } })).rejects.toMatchObject({
      status: "NOT_FOUND",
      message: expect.stringContaining("'no-such-mcp-server'"),
    });
  });

  it("because it dies is UNAVAILABLE, with what it last wrote to stderr and without its arguments", async () => {
    const failing = mcpTools({ server: node("console.error('first'); console.error('no database'); process.exit(1)") });
    const error = await failing.catch((thrown: AgentError) => thrown as AgentError);
    expect(error).toMatchObject({ status: "UNAVAILABLE", message: expect.stringMatching(/first\nno database$/) });
    expect((error as AgentError).message).not.toContain("secret");
  });

  /** Starts, says so, and never answers. */
  const silent = () =>
    node(`
      require("net").connect(${control.program.env?.["CONTROL_PORT"]}, "127.0.0.1").unref().write("started " + process.pid + "\\n");
      process.stdin.resume();
    `);

  it("within the time is DEADLINE_EXCEEDED, and it does not live on", async () => {
    const clock = createManualClock();
    const connecting = mcpTools({ server: silent(), clock, timeoutMs: 1_000 });
    const rejected = expect(connecting).rejects.toMatchObject({ status: "DEADLINE_EXCEEDED" });
    const pid = await control.pid();
    await clock.advance(1_000);
    await rejected;
    expect(isAlive(pid)).toBe(false);
  });

  it("before the signal is aborted rejects with its reason, and does not live on", async () => {
    const stop = new AbortController();
    const connecting = mcpTools({ server: silent(), signal: stop.signal });
    const rejected = expect(connecting).rejects.toBe("enough");
    const pid = await control.pid();
    stop.abort("enough");
    await rejected;
    expect(isAlive(pid)).toBe(false);
  });
});
