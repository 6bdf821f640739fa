import type { AgentChunk, AgentInput, AgentOutput, Snapshot } from "@agents/schema/agent";
import { AgentError } from "@agents/schema/error";
import type { AgentApi } from "@agents/schema/port";
import { describe, expect, it } from "vitest";
import type { ConformanceCase, Step } from "./case-file.ts";
import { formatCount, formatResult } from "./format-result.ts";
import type { HarnessRequest } from "./harness.ts";
import { runCase } from "./run-case.ts";

const OUTPUT: AgentOutput = { sessionId: "s", finishReason: "stop", snapshotId: "r.1" };
const SNAPSHOT = { snapshotId: "r.1", sessionId: "s", status: "completed", ordinal: 1, epoch: 1 } as Snapshot;

/** An agent that says what it is told to say. */
function fakeAgent(answers: { output?: () => Promise<AgentOutput>; chunks?: readonly AgentChunk[] } = {}) {
  const { output = async () => OUTPUT, chunks = [{ turnEnd: { finishReason: "stop" } }] } = answers;
  const asked: unknown[] = [];
  const agent = {
    connect: (init: unknown) => {
      asked.push(init);
      let unread = [...chunks];
      const read = async function* (): AsyncGenerator<AgentChunk> {
        const now = unread;
        unread = [];
        yield* now;
      };
      return {
        send: async (input: AgentInput) => void asked.push(input),
        close() {},
        receive: read,
        receiveTurn: read,
        output,
        done: false,
      };
    },
    getSnapshot: async (snapshotId: string) => {
      asked.push(snapshotId);
      if (snapshotId === "r.1") return SNAPSHOT;
      throw new AgentError("NOT_FOUND", "it is not there");
    },
    abort: async (snapshotId: string) => ({ snapshotId, previousStatus: "completed" }),
    waitForSnapshot: async () => SNAPSHOT,
    listSnapshots: async () => ({ snapshots: [SNAPSHOT] }),
    follow: async function* () {
      for (const chunk of chunks) yield { chunk, position: "1-1" };
    },
  } as unknown as AgentApi;
  return { agent, asked };
}

async function run(steps: Step[], answers?: Parameters<typeof fakeAgent>[0], more: Partial<ConformanceCase> = {}) {
  const { agent, asked } = fakeAgent(answers);
  const requests: HarnessRequest[] = [];
  let closed = 0;
  const harness = async (request: HarnessRequest) => {
    requests.push(request);
    return { agent, close: async () => void closed++ };
  };
  const result = await runCase(harness, { name: "a case", agent: "x", steps, ...more });
  return { result, asked, requests, closed: () => closed };
}

const send = (step: Partial<Extract<Step, { type: "send" }>> = {}): Step => ({ type: "send", inputs: [{}], ...step });

describe("a case", () => {
  it("passes where everything named is as expected, and is given what it captured", async () => {
    const { result, asked, closed } = await run([
      send({
        init: { sessionId: "s" },
        expectChunks: [{ turnEnd: {} }],
        expectOutput: { finishReason: "stop", hasSnapshotId: true, hasSessionId: true },
        captureSnapshotId: "id",
      }),
      { type: "getSnapshotData", snapshotId: "{{id}}", expectSnapshot: { status: "completed", parentId: null } },
      { type: "abort", snapshotId: "{{id}}", expectPreviousStatus: "completed" },
      { type: "waitUntilCompleted", snapshotId: "{{id}}", expectSnapshot: { status: "completed" } },
      { type: "follow", snapshotId: "{{id}}", expectChunks: [{ turnEnd: {} }] },
      { type: "listSnapshots", sessionId: "s", expectSnapshots: [{ status: "completed" }] },
    ]);
    expect(result).toEqual({ name: "a case" });
    expect(asked).toEqual([{ sessionId: "s" }, {}, "r.1"]);
    expect(closed()).toBe(1);
  });

  it.each<[string, Step, string]>([
    ["a chunk too many", send({ expectChunks: [] }), "chunks"],
    ["another reason", send({ expectOutput: { finishReason: "failed" } }), "output/finishReason"],
    ["a snapshot that should not be", send({ expectOutput: { hasSnapshotId: false } }), "output/hasSnapshotId"],
    ["an error that was not thrown", send({ expectError: { status: "ABORTED" } }), "error"],
    [
      "another status",
      { type: "getSnapshotData", snapshotId: "r.1", expectSnapshot: { status: "failed" } },
      "snapshot/status",
    ],
    [
      "a parent",
      { type: "getSnapshotData", snapshotId: "r.1", expectSnapshot: { parentId: "r.0" } },
      "snapshot/parentId",
    ],
    ["a snapshot that is there", { type: "getSnapshotData", snapshotId: "r.1", expectError: "NOT_FOUND" }, "error"],
    ["one that is not", { type: "getSnapshotData", snapshotId: "r.2" }, "error"],
    ["an abort of nothing", { type: "abort", snapshotId: "r.1", expectPreviousStatus: null }, "previousStatus"],
    ["a longer list", { type: "listSnapshots", sessionId: "s", expectSnapshots: [] }, "snapshots"],
    ["a name that nobody captured", { type: "abort", snapshotId: "{{who}}" }, "error"],
  ])("fails, naming the step and the place, at %s", async (_what, step, at) => {
    const { result, closed } = await run([send(), step, send({ expectChunks: [{ modelChunk: {} }] })]);
    expect(result.failure).toMatchObject({ step: 2, type: step.type, mismatches: [{ at }] });
    expect(closed()).toBe(1);
  });

  it("compares what a wrong call throws, and fails where nobody expected it", async () => {
    const throwing = { output: () => Promise.reject(new AgentError("ABORTED", "a turn is running")) };
    expect(
      (await run([send({ expectError: { status: "ABORTED", message: "running" } })], throwing)).result.failure,
    ).toBeUndefined();
    expect((await run([send({ expectError: { message: "archived" } })], throwing)).result.failure).toMatchObject({
      mismatches: [{ at: "error/message", expected: "archived", actual: "a turn is running" }],
    });
    expect((await run([send()], throwing)).result.failure).toMatchObject({ mismatches: [{ at: "error" }] });
  });

  it("asks for an agent whose settled turns can be continued where it requires a capability", async () => {
    const { requests } = await run([send()], {}, { requires: ["c"] });
    expect(requests).toMatchObject([{ agent: "x", settled: true }]);
    expect((await run([send()])).requests).toMatchObject([{ settled: false }]);
  });

  it("fails where the harness has no such agent", async () => {
    const result = await runCase(() => Promise.reject(new Error("who?")), { name: "a", agent: "x", steps: [send()] });
    expect(result.failure).toMatchObject({ step: 0, type: "open", mismatches: [{ actual: { message: "who?" } }] });
  });

  it("is shown with what was expected and what was there, and counted in the last line", async () => {
    const { result } = await run([send({ expectOutput: { finishReason: "failed" } })]);
    expect(formatResult(result)).toBe(
      [
        "FAIL  a case (step 1, send)",
        "      output/finishReason",
        '        expected "failed"',
        '        actual   "stop"',
      ].join("\n"),
    );
    expect(formatResult({ name: "fine" })).toBe("ok    fine");
    expect(formatCount([result, { name: "fine" }])).toBe("1 passed, 1 failed");
  });
});
