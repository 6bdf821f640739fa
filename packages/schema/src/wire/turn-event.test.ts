import { describe, expect, expectTypeOf, it } from "vitest";
import { type EVENT_DATA, EVENT_TYPES, parseWire, type TurnEvent, TurnEventSchema } from "./index.ts";

const envelope = {
  turnId: "r.1",
  seq: 1,
  source: "agent",
  visibility: "public",
  createdAt: "2026-01-02T03:04:05.678Z",
};
const chunk = { index: 0, content: [{ text: " a " }] };
const error = { status: "INTERNAL", message: "x" };

const DATA: { [Type in keyof typeof EVENT_DATA]: unknown } = {
  "turn.started": { turnIndex: 0, input: { message: { role: "user", content: [{ text: "hi" }] } } },
  "turn.completed": { turnEnd: { snapshotId: "r.1", finishReason: "stop" }, usage: { inputTokens: 3 } },
  "turn.failed": { turnEnd: { finishReason: "failed" }, error },
  "turn.canceled": { reason: "by the user" },
  "turn.restarted": { epoch: 2 },
  "assistant.delta": { chunk },
  "assistant.completed": { message: { role: "model", content: [{ text: "a" }] } },
  "reasoning.delta": { chunk: { content: [{ reasoning: "hm" }] } },
  "tool.started": { name: "t", ref: "1", input: {} },
  "tool.progress": { name: "t", ref: "1", progress: 0.5 },
  "tool.completed": {
    name: "t",
    ref: "1",
    output: 3,
    chunk: { role: "tool", content: [{ toolResponse: { name: "t", output: 3 } }] },
  },
  "tool.failed": { name: "t", error },
  "interaction.requested": { interactionId: "i1", type: "approval", toolRequest: { name: "t", ref: "1" } },
  "interaction.resolved": { interactionId: "i1", output: true },
  "interaction.canceled": { interactionId: "i1" },
  "state.patched": {
    patch: [
      { op: "replace", path: "", value: { a: 1 } },
      { op: "move", from: "/a", path: "/b" },
    ],
  },
  "artifact.added": { artifact: { name: "doc", parts: [{ text: "v1" }] } },
  "status.updated": { status: { step: 2 } },
};

describe("turn events", () => {
  it.each(EVENT_TYPES)("%s takes its data and gives it back", (type) => {
    const event = { ...envelope, type, data: DATA[type], display: { kind: "text", phase: "delta", text: " a " } };
    expect(TurnEventSchema.parse(event)).toEqual(event);
  });

  it("of the application's own may carry anything", () => {
    const event = { ...envelope, type: "custom.map.moved", data: [1, 2] };
    expect(TurnEventSchema.parse(event)).toEqual(event);
  });

  it.each(["custom.", "customer", "turn.exploded", ""])("are a closed union: %j is no type", (type) => {
    expect(TurnEventSchema.safeParse({ ...envelope, type, data: {} }).success).toBe(false);
  });

  it("report wrong data at its path, not as a union that did not match", () => {
    const event = { ...envelope, type: "tool.started", data: { name: 1 } };
    expect(() => parseWire(TurnEventSchema, event, { what: "event" })).toThrow("Invalid event at /data/name: ");
  });

  it("are numbered from 1", () => {
    expect(TurnEventSchema.safeParse({ ...envelope, seq: 0, type: "custom.a" }).success).toBe(false);
  });

  it("narrow their data by type", () => {
    const read = (event: TurnEvent) => {
      if (event.type === "state.patched") expectTypeOf(event.data.patch).toBeArray();
      if (event.type === "tool.started") expectTypeOf(event.data.name).toBeString();
      return event.type;
    };
    expect(read({ ...envelope, visibility: "public", type: "turn.restarted", data: { epoch: 2 } })).toBe(
      "turn.restarted",
    );
  });
});
