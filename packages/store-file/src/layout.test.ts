import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sessionRoute } from "@agents/schema/hash";
import { describe, expect, it } from "vitest";
import { journalPath, NOBODY, openFileStore, temporaryDirectory, turn, turnsOf } from "../test/file-driver.ts";
import { begin, begun, newSnapshotId } from "../test/turn-calls.ts";
import { scopePath } from "./disk/scope-path.ts";
import { createFileStore, type FileStoreOptions } from "./index.ts";

describe("a directory", () => {
  it("of a layout that is not known is refused, and left as it is", () => {
    const directory = temporaryDirectory();
    const path = join(directory, "layout.json");
    writeFileSync(path, '{"layout":2,"cursorKey":"k"}');
    expect(() => createFileStore({ directory })).toThrow(
      expect.objectContaining({
        status: "FAILED_PRECONDITION",
        message: expect.stringMatching(/layout\.json says layout 2; .* knows 1\. Update the package/),
      }),
    );
    expect(readdirSync(directory)).toEqual(["layout.json"]);
  });

  it("whose layout file is damaged is refused, with what would mend it", () => {
    const directory = temporaryDirectory();
    writeFileSync(join(directory, "layout.json"), '{"layo');
    expect(() => createFileStore({ directory })).toThrow(expect.objectContaining({ status: "DATA_LOSS" }));
  });

  it("that cannot be made is UNAVAILABLE, with its path", () => {
    const path = join(temporaryDirectory(), "file");
    writeFileSync(path, "");
    expect(() => createFileStore({ directory: join(path, "below") })).toThrow(
      expect.objectContaining({ status: "UNAVAILABLE", message: expect.stringContaining(path) }),
    );
  });

  it("is for its owner alone: conversations are nobody else's to read", async () => {
    const directory = temporaryDirectory();
    await turn(openFileStore(directory), "s");
    expect(statSync(journalPath(directory, "s")).mode & 0o077).toBe(0);
  });

  it("has a conversation in one file of lines, found by its id's digest, with its words in plain sight", async () => {
    const directory = temporaryDirectory();
    await turn(openFileStore(directory), "Ünïcode/../s", { text: "what was said" });
    const path = join(directory, "sessions", sessionRoute("Ünïcode/../s"), "000001.journal");
    const lines = readFileSync(path, "utf8").trimEnd().split("\n");
    expect(lines.map((line) => /^[0-9a-f]{8} 1 \{"t":"(\w+)"/.exec(line)?.[1])).toEqual(["begin", "settle"]);
    expect(lines[0]).toContain('"session":{"id":"Ünïcode/../s","agent":"agent"}');
    expect(lines[1]).toContain("what was said");
  });

  it("keeps two sessions apart whose digests are the same", async () => {
    const directory = temporaryDirectory();
    const store = openFileStore(directory);
    const [one, other] = colliding();
    expect(sessionRoute(one)).toBe(sessionRoute(other));
    for (const text of ["first", "second"])
      for (const sessionId of [one, other]) await turn(store, sessionId, { text });
    const reader = openFileStore(directory);
    for (const sessionId of [one, other]) {
      expect((await turnsOf(reader, sessionId)).map((each) => [each.sessionId, each.ordinal])).toEqual([
        [sessionId, 1],
        [sessionId, 2],
      ]);
    }
    expect(await store.index.deleteSession(NOBODY, one)).toBe(true);
    for (const each of [store, reader, openFileStore(directory)]) {
      expect(await turnsOf(each, one)).toEqual([]);
      const before = (await turnsOf(each, other)).length;
      await turn(each, other);
      expect((await turnsOf(store, other)).map(({ ordinal }) => ordinal).at(-1)).toBe(before + 1);
    }
  });
});

describe("ids from outside", () => {
  it.each([
    "",
    "a",
    "../../x",
    "/",
    "//",
    ".",
    "..",
    "A",
    "ä",
    "\0",
    "a\0",
    "x".repeat(5_000),
    "a/".repeat(500),
    "con",
    "@a",
    "%41",
  ])("never lead out of the directory as a scope: %j", async (scope) => {
    const outside = temporaryDirectory();
    const directory = join(outside, "store");
    const store = openFileStore(directory);
    const id = await turn(store, "s", { scope });
    expect((await turnsOf(openFileStore(directory), "s", scope)).map(({ snapshotId }) => snapshotId)).toEqual([id]);
    expect(readdirSync(outside)).toEqual(["store"]);
  });

  it("become paths that differ, also where case does not count", () => {
    const scopes = [
      "",
      "a",
      "A",
      "a/",
      "/a",
      "a/a",
      "a//a",
      "@a",
      "%61",
      "ä",
      "Ä",
      "a\u0308",
      ".",
      "..",
      "\ud800",
      "\ud801",
      "\ufffd",
    ];
    const long = ["x".repeat(200), `${"x".repeat(199)}y`, "a/".repeat(200), "a/".repeat(201)];
    const paths = [...scopes, ...long].map((scope) => scopePath(scope).toLowerCase());
    expect(new Set(paths).size).toBe(paths.length);
    for (const path of paths) expect(path).toMatch(/^(@[a-z0-9_%-]*(\/|$))*$/);
  });

  it.each(["../../../etc/passwd", "0123abcd.../..", "0123ABCD.x", "", "\0", `0123abcd.${"x".repeat(500)}`])(
    "name no snapshot unless they are ours: %j",
    async (snapshotId) => {
      const directory = temporaryDirectory();
      const store = openFileStore(directory);
      expect(await store.turns.read(NOBODY, { snapshotId }, "meta")).toBeUndefined();
      await expect(begin(store, "s", { snapshotId })).rejects.toMatchObject({ status: "INVALID_ARGUMENT" });
      expect(readdirSync(directory)).toEqual(["layout.json"]);
    },
  );

  it("make no folder when they are only asked for", async () => {
    const directory = temporaryDirectory();
    const store = openFileStore(directory);
    const snapshotId = newSnapshotId("nobody");
    await store.index.getSession({ scope: "nobody" }, "nobody");
    await (await store.hints.watch(NOBODY, snapshotId, () => undefined))();
    await begin(store, "nobody", {
      from: { sessionId: "nobody", create: false, ifActive: "reject", ifForked: "newest" },
    });
    expect(readdirSync(directory)).toEqual(["layout.json"]);
  });
});

describe("options", () => {
  it.each<[string, Partial<FileStoreOptions>]>([
    ["maxChainLength", { maxChainLength: 0 }],
    ["maxChainLength", { maxChainLength: 1.5 }],
    ["maxChainLength", { maxChainLength: -1 }],
    ["pollMs", { pollMs: -1 }],
    ["pollMs", { pollMs: Number.NaN }],
    ["maxOpen", { maxOpen: 0 }],
    ["durability", { durability: "maybe" as never }],
    ["directory", { directory: "" }],
  ])("that make no sense are INVALID_ARGUMENT, by name: %s %j", (name, options) => {
    const directory = temporaryDirectory();
    expect(() => createFileStore({ directory, ...options })).toThrow(
      expect.objectContaining({ status: "INVALID_ARGUMENT", message: expect.stringContaining(`${name} is `) }),
    );
  });

  it("with scopes refuse a call without one", async () => {
    const store = openFileStore(temporaryDirectory(), { scoped: true });
    await expect(begin(store, "s")).rejects.toMatchObject({ status: "FAILED_PRECONDITION" });
    expect((await begin(store, "s", { scope: "tenant" })).type).toBe("begun");
  });

  it("that keep few journals open lose nothing", async () => {
    const store = openFileStore(temporaryDirectory(), { maxOpen: 1, durability: "fsync" });
    const sessions = Array.from({ length: 8 }, (_, index) => `s${index}`);
    for (let round = 0; round < 3; round++) await Promise.all(sessions.map((sessionId) => turn(store, sessionId)));
    for (const sessionId of sessions) expect(await turnsOf(store, sessionId)).toHaveLength(3);
  });

  it("with a longest chain keep its newest turns and drop older ones", async () => {
    const store = openFileStore(temporaryDirectory(), { maxChainLength: 3 });
    const made: string[] = [];
    for (let count = 0; count < 12; count++) made.push(await turn(store, "s"));
    const kept = (await turnsOf(store, "s")).map(({ snapshotId }) => snapshotId);
    expect(kept.slice(-3)).toEqual(made.slice(-3));
    expect(kept.length).toBeLessThan(7);
  });
});

describe("a store that is closed", () => {
  it("rejects every call, and lets another go on", async () => {
    const directory = temporaryDirectory();
    const store = openFileStore(directory);
    const { lease } = await begun(store, "s");
    await store.close();
    await expect(begin(store, "s")).rejects.toMatchObject({ status: "FAILED_PRECONDITION" });
    await expect(store.health()).rejects.toMatchObject({ status: "FAILED_PRECONDITION" });
    const other = openFileStore(directory);
    expect((await other.turns.heartbeat([{ caller: NOBODY, lease }], 1_000))[0]?.ok).toBe(true);
  });
});

/** Two of some 100,000 ids share eight digits, as a rule. */
function colliding(): readonly [string, string] {
  const seen = new Map<string, string>();
  for (let number = 0; ; number++) {
    const id = `session ${number}`;
    const route = sessionRoute(id);
    const other = seen.get(route);
    if (other !== undefined) return [other, id];
    seen.set(route, id);
  }
}
