import { describe, expect, it } from "vitest";
import { State } from "../state/state.ts";
import { encodeState } from "./encode-state.ts";
import { createStateCache } from "./state-cache.ts";

const stored = (sessionId: string) =>
  encodeState({ state: State.import(sessionId), parent: undefined, appendOnly: true }).stored;

describe("the state cache", () => {
  it("holds the newest state of each session", () => {
    const cache = createStateCache({ maxSessions: 10 });
    cache.put("", "r.1", stored("s"));
    cache.put("", "r.2", stored("s"));
    expect(cache.newestOf("", "s")?.snapshotId).toBe("r.2");
    expect(cache.get("", "r.2")?.stored.state.sessionId).toBe("s");
    expect(cache.get("", "r.1")).toBeUndefined();
  });

  it("drops the session that was not used for longest", () => {
    const cache = createStateCache({ maxSessions: 2 });
    cache.put("", "r.1", stored("a"));
    cache.put("", "r.2", stored("b"));
    cache.get("", "r.1");
    cache.put("", "r.3", stored("c"));
    expect(["a", "b", "c"].map((id) => cache.newestOf("", id)?.snapshotId)).toEqual(["r.1", undefined, "r.3"]);
  });

  it("keeps scopes apart, also where their names run into the ids", () => {
    const cache = createStateCache({ maxSessions: 10 });
    cache.put("a", "b.1", stored("s"));
    expect(cache.get("ab", ".1")).toBeUndefined();
    expect(cache.get("", "b.1")).toBeUndefined();
    expect(cache.newestOf("b", "s")).toBeUndefined();
    expect(cache.newestOf("a", "s")?.snapshotId).toBe("b.1");
  });
});
