import type { AgentChunk } from "@agents/schema/agent";
import { parseWire } from "@agents/schema/agent";
import { TurnEventSchema } from "@agents/schema/wire";
import { describe, expect, it } from "vitest";
import { chunkOfEvent, eventOfChunk, readEvent, splitChunk } from "./chunk-event.ts";

const text = [{ text: "x" }];
const answer = (ref: string) => ({ toolResponse: { name: "t", ref, output: ref } });

/** The event as a reader of the log gets it. */
function logged(chunk: AgentChunk) {
  const { type, data } = eventOfChunk(chunk);
  const envelope = { source: "agent", visibility: "public", createdAt: "2024-01-01T00:00:00.000Z" };
  const event = readEvent("turn", { seq: 1, epoch: 1, json: JSON.stringify({ type, data, ...envelope }) });
  return parseWire(TurnEventSchema, event, { what: "event" });
}

describe("a chunk", () => {
  it.each<[AgentChunk, string, "early" | "stored first"]>([
    [{ modelChunk: { content: text } }, "assistant.delta", "early"],
    [{ modelChunk: { content: [] } }, "assistant.delta", "early"],
    [{ modelChunk: { content: [{ reasoning: "hm" }] } }, "reasoning.delta", "early"],
    [{ modelChunk: { content: [{ reasoning: "hm" }, ...text] } }, "assistant.delta", "early"],
    [{ modelChunk: { role: "tool", content: [answer("1"), answer("2")] } }, "tool.completed", "stored first"],
    [{ modelChunk: { role: "tool", content: text } }, "assistant.delta", "early"],
    [{ customPatch: [{ op: "remove", path: "/a" }] }, "state.patched", "early"],
    [{ artifact: { name: "a", parts: text } }, "artifact.added", "stored first"],
    [{ status: { phase: 1 } }, "status.updated", "stored first"],
    [{ status: null }, "status.updated", "stored first"],
    [{ ours: 1, theirs: [2] } as AgentChunk, "custom.chunk", "early"],
  ])("%j is the event %s, %s, and the event is that chunk again", (chunk, type, when) => {
    expect(eventOfChunk(chunk)).toMatchObject({ type, early: when === "early" });
    expect(chunkOfEvent(logged(chunk))).toEqual(chunk);
  });

  it("of tool answers names the call that was answered last", () => {
    const { data } = eventOfChunk({ modelChunk: { role: "tool", content: [answer("1"), answer("2")] } });
    expect(data).toMatchObject({ name: "t", ref: "2", output: "2" });
  });

  it("of several fields is split into chunks of one, and what is not ours stays together", () => {
    const chunk = {
      other: 1,
      status: 0,
      artifact: { parts: [] },
      modelChunk: { content: [] },
      more: 2,
      customPatch: [],
    };
    expect(splitChunk(chunk as AgentChunk)).toEqual([
      { modelChunk: { content: [] } },
      { customPatch: [] },
      { artifact: { parts: [] } },
      { status: 0 },
      { other: 1, more: 2 },
    ]);
    expect(splitChunk({})).toEqual([]);
  });
});

describe("an event", () => {
  it("that is private, or was no chunk, is none", () => {
    const event = logged({ status: "x" });
    expect(chunkOfEvent({ ...event, visibility: "private" })).toBeUndefined();
    expect(chunkOfEvent({ ...event, type: "turn.started", data: { turnIndex: 0 } })).toBeUndefined();
    expect(chunkOfEvent({ ...event, type: "custom.mine", data: { status: 1 } })).toBeUndefined();
  });
});
