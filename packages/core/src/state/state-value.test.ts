import { describe, expect, it } from "vitest";
import { addArtifacts, appendMessages, makeState, withCustom, withMessages } from "./state-value.ts";

const message = (text: string) => ({ role: "user" as const, content: [{ text }] });
const artifact = (name: string | undefined, text: string) => ({
  ...(name === undefined ? {} : { name }),
  parts: [{ text }],
});

describe("a state", () => {
  it("starts empty where the client brought nothing", () => {
    expect(makeState("s")).toEqual({ sessionId: "s", messages: [], artifacts: [] });
  });

  it("is never changed: each change makes a new one that shares the rest", () => {
    const first = appendMessages(makeState("s", { custom: { n: 1 } }), [message("a")]);
    const second = appendMessages(first, [message("b")]);
    expect(first.messages).toEqual([message("a")]);
    expect(second.messages).toEqual([message("a"), message("b")]);
    expect(second.messages[0]).toBe(first.messages[0]);
    expect(second.custom).toBe(first.custom);
    expect(() => (second.messages as unknown[]).push(1)).toThrow(TypeError);
  });

  it("takes rewritten messages as a copy", () => {
    const mine = [message("a")];
    const state = withMessages(makeState("s"), mine);
    mine.push(message("b"));
    expect(state.messages).toEqual([message("a")]);
  });

  it("has no custom member where there is no custom state", () => {
    expect("custom" in withCustom(makeState("s", { custom: 1 }), undefined)).toBe(false);
  });
});

describe("artifacts", () => {
  it("of the same non-empty name replace in place, unnamed ones are appended", () => {
    const state = addArtifacts(makeState("s"), [artifact("a", "1"), artifact(undefined, "2"), artifact("", "3")]);
    const next = addArtifacts(state, [
      artifact("b", "4"),
      artifact("a", "5"),
      artifact(undefined, "6"),
      artifact("", "7"),
    ]);
    expect(next.artifacts.map(({ parts }) => parts[0]?.text)).toEqual(["5", "2", "3", "4", "6", "7"]);
    expect(state.artifacts).toHaveLength(3);
  });
});
