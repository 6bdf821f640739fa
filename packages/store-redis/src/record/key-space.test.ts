import { makeSnapshotId, sessionRoute } from "@agents/schema/hash";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { KeySpace } from "./key-space.ts";

const space = new KeySpace({ prefix: "p:", buckets: 64 });

/** What a cluster hashes: the text in the first braces. */
const slotName = (key: string) => /\{(.+?)\}/.exec(key)?.[1];

describe("keys", () => {
  it("of a session, its turns and its index share a slot, for any scope and session", () => {
    const text = fc.string({ unit: "binary" });
    fc.assert(
      fc.property(text, text, (scope, sessionId) => {
        const session = space.ofSession(scope, sessionId);
        const turn = space.ofSnapshot(scope, makeSnapshotId(sessionRoute(sessionId), "a"));
        expect(turn).toEqual({ key: session.key, index: session.index });
        expect(slotName(session.key)).toBe(slotName(session.index));
        expect(space.indexes(scope)).toContain(session.index);
      }),
    );
  });

  it("of two scopes are never the same, also where half a surrogate pair is the difference", () => {
    const scopes = [
      "",
      "a",
      "a/1",
      "a}",
      "{a",
      "%",
      "%ud800",
      "\ud800",
      "\udc00",
      "\ud800\udc00",
      "x\ud800",
      "\ud800x",
    ];
    expect(new Set(scopes.map((scope) => space.ofSession(scope, "s").key)).size).toBe(scopes.length);
  });

  it("there is none for an id that we did not make", () => {
    expect(space.ofSnapshot("", "../../x")).toBeUndefined();
    expect(space.channel("", "x")).toBeUndefined();
  });
});
