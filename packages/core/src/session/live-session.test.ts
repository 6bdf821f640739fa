import { applyPatch, type PatchOperation } from "@agents/schema/patch";
import { describe, expect, it } from "vitest";
import { State } from "../state/state.ts";
import { LiveSession, type SessionEmission } from "./live-session.ts";

interface Custom {
  step: number;
  log: string[];
}
const user = (text: string) => ({ role: "user" as const, content: [{ text }] });
const artifact = (name: string, text: string) => ({ name, parts: [{ text }] });

function open(custom: Custom | undefined = { step: 0, log: [] }) {
  const emitted: SessionEmission[] = [];
  const state = State.import<Custom>("s", custom === undefined ? {} : { custom });
  const session = new LiveSession<Custom>(state, (emission) => emitted.push(emission));
  const patches = () => emitted.flatMap((emission) => (emission.type === "custom" ? [emission.patch] : []));
  return { session, emitted, patches };
}

describe("live custom state", () => {
  it("streams the whole document first in a turn, then minimal patches, and no empty ones", () => {
    const { session, patches } = open();
    session.startTurn();
    session.updateCustom((draft) => {
      draft.step = 1;
    });
    session.updateCustom((draft) => void draft.log.push("a"));
    session.updateCustom(() => {});
    expect(patches()).toEqual([
      [{ op: "replace", path: "", value: { step: 1, log: [] } }],
      [{ op: "add", path: "/log/0", value: "a" }],
    ]);
    session.startTurn();
    session.updateCustom((draft) => {
      draft.step = 2;
    });
    expect(patches().at(-1)).toEqual([{ op: "replace", path: "", value: { step: 2, log: ["a"] } }]);
  });

  it("sends the first patch of a turn even if nothing changed", () => {
    const { session, patches } = open();
    session.updateCustom(() => {});
    expect(patches()).toEqual([[{ op: "replace", path: "", value: { step: 0, log: [] } }]]);
  });

  it("can be rebuilt from the patches alone", () => {
    const { session, patches } = open();
    for (let i = 0; i < 20; i++) {
      session.updateCustom((draft) => {
        draft.step = i;
        if (i % 3 === 0) draft.log.push(`line ${i}`);
        if (i % 7 === 0) draft.log.shift();
      });
    }
    const rebuilt = patches().reduce<unknown>(
      (document, patch) => applyPatch(document, patch as PatchOperation[]),
      undefined,
    );
    expect(rebuilt).toEqual(session.state.custom);
  });

  it("says what to do where there is none to change", () => {
    const { session } = open(undefined);
    const empty = new LiveSession<Custom>(State.import("s"), () => {});
    expect(() => empty.updateCustom(() => {})).toThrow(expect.objectContaining({ status: "FAILED_PRECONDITION" }));
    empty.updateCustom(() => ({ step: 1, log: [] }));
    expect(empty.state.custom).toEqual({ step: 1, log: [] });
    expect(session.state.custom).toEqual({ step: 0, log: [] });
  });
});

describe("artifacts", () => {
  it("stream one by one, as they were when they were added", () => {
    const { session, emitted } = open();
    const mine = artifact("doc", "v1");
    session.addArtifacts(mine, artifact("doc", "v2"));
    mine.parts.push({ text: "later" });
    expect(emitted).toEqual([
      { type: "artifact", artifact: artifact("doc", "v1") },
      { type: "artifact", artifact: artifact("doc", "v2") },
    ]);
    expect(session.state.artifacts).toEqual([artifact("doc", "v2")]);
  });

  it("can be replaced as a whole", () => {
    const { session } = open();
    session.addArtifacts(artifact("a", "1"));
    session.setArtifacts([artifact("b", "2")]);
    expect(session.state.artifacts).toEqual([artifact("b", "2")]);
  });
});

describe("a live session", () => {
  it("gives out values that nobody can change and that stay as they were", () => {
    const { session } = open();
    session.addMessages(user("a"));
    const before = session.state;
    session.addMessages(user("b"));
    expect(before.messages).toEqual([user("a")]);
    expect(() => (before.messages as unknown[]).push(1)).toThrow(TypeError);
  });

  it("knows whether history was only appended to since it was stored", () => {
    const { session } = open();
    session.addMessages(user("a"));
    expect(session.appendOnly).toBe(true);
    session.setMessages([user("b")]);
    expect(session.appendOnly).toBe(false);
    session.stored();
    expect(session.appendOnly).toBe(true);
  });

  it("takes no change after its end", () => {
    const { session } = open();
    session.end();
    const late = [
      () => session.addMessages(user("x")),
      () => session.setMessages([]),
      () => session.updateCustom(() => {}),
      () => session.addArtifacts(),
      () => session.setArtifacts([]),
    ];
    for (const change of late) expect(change).toThrow(expect.objectContaining({ status: "FAILED_PRECONDITION" }));
  });

  it("rolls a turn back to where it started although an earlier one was not stored", () => {
    const { session } = open();
    session.setMessages([user("kept")]);
    session.startTurn();
    session.addMessages(user("u1"));
    session.rollback();
    expect(session.state.messages).toEqual([user("kept")]);
    expect(session.appendOnly).toBe(false);
  });

  it("rolls a failed turn back to where it started, and keeps what it is told to keep", () => {
    const { session } = open();
    session.addMessages(user("kept"));
    session.stored();
    session.startTurn();
    session.addMessages(user("u1"));
    session.setMessages([]);
    session.addArtifacts(artifact("a", "1"));
    session.updateCustom((draft) => {
      draft.step = 9;
    });
    session.rollbackToKept([user("u1")]);
    expect(session.state).toEqual(
      State.import("s", { messages: [user("kept"), user("u1")], custom: { step: 0, log: [] } }),
    );
    expect(session.appendOnly).toBe(true);
  });
});
