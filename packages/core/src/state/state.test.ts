import { describe, expect, it } from "vitest";
import { State } from "./state.ts";

const message = (text: string) => ({ role: "user" as const, content: [{ text }] });
const artifact = (name: string | undefined, text: string) => ({
  ...(name === undefined ? {} : { name }),
  parts: [{ text }],
});

describe("a state", () => {
  it("starts empty where the client brought nothing", () => {
    expect(State.import("s").value).toEqual({ sessionId: "s", messages: [], artifacts: [] });
  });

  it("is never changed: each change makes a new one that shares the rest", () => {
    const first = State.import("s", { custom: { n: 1 } }).append([message("a")]);
    const second = first.append([message("b")]);
    expect(first.messages).toEqual([message("a")]);
    expect(second.messages).toEqual([message("a"), message("b")]);
    expect(second.messages[0]).toBe(first.messages[0]);
    expect(second.custom).toBe(first.custom);
    expect(() => (second.messages as unknown[]).push(1)).toThrow(TypeError);
  });

  it("shares the messages it has when history is rewritten, and copies the others", () => {
    const state = State.import("s").append([message("a"), message("b")]);
    const mine = message("c");
    const next = state.withMessages([state.messages[1] as typeof mine, mine]);
    expect(next.messages[0]).toBe(state.messages[1]);
    expect(next.messages[1]).not.toBe(mine);
    expect(next.messages).toEqual([message("b"), message("c")]);
    expect(Object.isFrozen(next.messages[1]?.content)).toBe(true);
  });

  it("takes rewritten messages as a copy", () => {
    const mine = [message("a")];
    const state = State.import("s").withMessages(mine);
    mine.push(message("b"));
    expect(state.messages).toEqual([message("a")]);
  });

  it("has no custom member where there is no custom state", () => {
    expect("custom" in State.import("s", { custom: 1 }).withCustom(undefined).value).toBe(false);
  });

  it("is a plain frozen object as a value, the same at each look, and comes back from it", () => {
    const state = State.import("s", { custom: { n: 1 }, messages: [message("a")] });
    expect(state.value).toBe(state.value);
    expect(Object.isFrozen(state.value)).toBe(true);
    expect(structuredClone(state.value)).toEqual(state.value);
    expect(State.of(state.value).value).toEqual(state.value);
  });
});

describe("artifacts", () => {
  it("of the same non-empty name replace in place, unnamed ones are appended", () => {
    const state = State.import("s").addArtifacts([artifact("a", "1"), artifact(undefined, "2"), artifact("", "3")]);
    const next = state.addArtifacts([
      artifact("b", "4"),
      artifact("a", "5"),
      artifact(undefined, "6"),
      artifact("", "7"),
    ]);
    expect(next.artifacts.map(({ parts }) => parts[0]?.text)).toEqual(["5", "2", "3", "4", "6", "7"]);
    expect(state.artifacts).toHaveLength(3);
  });
});
