import { expect } from "vitest";
import { contractArea } from "../contract-test.ts";
import { loadState } from "../kit/load-state.ts";
import { fullContent } from "../kit/state-content.ts";
import { present, type StoreKit } from "../kit/store-kit.ts";
import { batch } from "../kit/test-outcome.ts";

/** Ids that are hard on one medium or another: paths, keys, patterns, SQL, case, normal forms. */
const AWKWARD_IDS: readonly string[] = [
  "../../etc/passwd",
  "/absolute/path",
  "..",
  ".",
  "a/b/../c",
  "C:\\Windows\\x",
  "{tag}:*?[a-z]",
  "'; drop table turn; --",
  "%00 %2e%2e",
  "line\nbreak\ttab",
  " padded ",
  "MiXeD",
  "mixed",
  "caf\u00e9",
  "cafe\u0301",
  "日本語 🙂 العربية",
  "__proto__",
  "constructor",
  "x".repeat(256),
  "🙂".repeat(128),
];

export const lookupContract = contractArea(
  "lookups",
  {},
  {
    "answers undefined, notFound or a refusal for ids that never were": async (kit) => {
      const snapshotId = kit.newSnapshotId("nobody");
      const lease = { snapshotId, sessionId: "nobody", epoch: 1 };
      expect(await kit.meta(snapshotId)).toBeUndefined();
      expect(await kit.meta("not an id of ours/../x")).toBeUndefined();
      expect(await kit.latest("nobody", ["pending", "completed"])).toBeUndefined();
      expect(await kit.abort(snapshotId)).toBeUndefined();
      expect(await kit.claim(snapshotId)).toEqual({ type: "notFound" });
      expect(await kit.begin({ branchOf: snapshotId })).toEqual({ type: "notFound" });
      expect(await kit.begin({ sessionId: "nobody", create: false })).toEqual({ type: "notFound" });
      const refused = await kit.settle(lease, { status: "completed" });
      expect([refused.ok, refused.turn]).toEqual([false, undefined]);
      const [beat] = await kit.heartbeat([lease], 1_000);
      expect([beat?.ok, beat?.turn]).toEqual([false, undefined]);
    },

    "hides the turns of one scope from another, as if they never were": async (kit) => {
      const sessionId = kit.newSession();
      const live = await kit.begun({ sessionId });
      const stranger = kit.as({ scope: "tenant-b" });
      await expectHidden(stranger, sessionId, live.lease.snapshotId);
      expect(await kit.meta(live.lease.snapshotId)).toMatchObject({ status: "pending", version: live.turn.version });
    },

    "keeps two scopes apart that use the same ids": async (kit) => {
      const sessionId = kit.newSession();
      const snapshotId = kit.newSnapshotId(sessionId);
      const other = kit.as({ scope: "tenant-b" });
      await kit.complete({ sessionId, snapshotId, text: "from a" });
      await other.complete({ sessionId, snapshotId, text: "from b" });
      expect(await textsOf(kit, snapshotId)).toContain("from a");
      expect(await textsOf(other, snapshotId)).toContain("from b");
    },

    "does not mix scope and id into one key": async (kit) => {
      for (const [scope, sessionId] of [
        ["a", "b/c"],
        ["a/b", "c"],
        ["a:b", "c"],
        ["a", "b:c"],
      ] as const) {
        const begun = await kit.as({ scope }).begun({ sessionId });
        expect([begun.turn.ordinal, begun.parent], `${scope} and ${sessionId}`).toEqual([1, undefined]);
      }
    },

    "hides the turns of one owner from another": async (kit) => {
      const sessionId = kit.newSession();
      const alice = kit.as({ ...kit.caller, owner: "alice" });
      const begun = await alice.begun({ sessionId });
      expect(begun.turn.owner).toBe("alice");
      await expectHidden(kit.as({ ...kit.caller, owner: "bob" }), sessionId, begun.lease.snapshotId);
      expect((await alice.meta(begun.lease.snapshotId))?.status).toBe("pending");
    },

    "shows every owner's turns to a caller without one": async (kit) => {
      const sessionId = kit.newSession();
      const begun = await kit.as({ ...kit.caller, owner: "alice" }).begun({ sessionId });
      expect(await kit.meta(begun.lease.snapshotId)).toMatchObject({ owner: "alice", sessionId });
    },

    "shows turns without an owner to every owner": async (kit) => {
      const sessionId = kit.newSession();
      const begun = await kit.begun({ sessionId });
      const bob = kit.as({ ...kit.caller, owner: "bob" });
      expect((await bob.meta(begun.lease.snapshotId))?.snapshotId).toBe(begun.lease.snapshotId);
    },

    "takes any session id of up to 256 characters, and keeps each apart": async (kit) => {
      const begun = [];
      for (const sessionId of AWKWARD_IDS) begun.push(await kit.begun({ sessionId, input: JSON.stringify(sessionId) }));
      for (const [index, sessionId] of AWKWARD_IDS.entries()) {
        const latest = await kit.latest(sessionId, ["pending"]);
        expect(latest, JSON.stringify(sessionId)).toMatchObject({
          snapshotId: begun[index]?.lease.snapshotId,
          sessionId,
          ordinal: 1,
        });
      }
    },

    "takes any scope, owner and agent name": async (kit) => {
      for (const awkward of AWKWARD_IDS) {
        const there = kit.as({ scope: `tenant ${awkward}`.slice(0, 256), owner: awkward });
        const { lease } = await there.begun({ sessionId: "same", agent: awkward });
        expect(await there.meta(lease.snapshotId), JSON.stringify(awkward)).toMatchObject({
          owner: awkward,
          agent: awkward,
          ordinal: 1,
        });
      }
    },

    'keeps text exactly, "\\u0000" and astral characters included': async (kit) => {
      const text = "a\u0000b \u2028 🙂 \\u0000 \"'\r\n\ud83d\ude00 \uffff";
      const sessionId = kit.newSession();
      const begun = await kit.begun({ sessionId, input: JSON.stringify({ text }), events: batch(1, text) });
      const content = fullContent({ sessionId, messages: [{ text }], custom: { [text]: text }, artifacts: [] });
      await kit.settle(begun.lease, {
        status: "completed",
        result: JSON.stringify({ text }),
        content,
        events: batch(2, text),
      });
      const read = present(
        await kit.store.turns.read(kit.caller, { snapshotId: begun.lease.snapshotId }, { known: [] }),
        "the row",
      );
      expect(read.turn.result).toBe(JSON.stringify({ text }));
      expect(loadState(present(read.chain, "chain"))).toEqual(content.value);
    },
  },
);

async function expectHidden(stranger: StoreKit, sessionId: string, snapshotId: string): Promise<void> {
  const lease = { snapshotId, sessionId, epoch: 1 };
  expect(await stranger.meta(snapshotId), "read").toBeUndefined();
  expect(await stranger.latest(sessionId, ["pending", "completed"]), "latest").toBeUndefined();
  expect(await stranger.abort(snapshotId), "abort").toBeUndefined();
  const claimed = await stranger.claim(snapshotId);
  expect(claimed, "claim").toEqual({ type: "notFound" });
  expect(await stranger.begin({ branchOf: snapshotId }), "branch").toEqual({ type: "notFound" });
  expect(await stranger.begin({ sessionId, create: false }), "send").toEqual({ type: "notFound" });
  const settled = await stranger.settle(lease, { status: "completed" });
  expect([settled.ok, settled.turn], "settle").toEqual([false, undefined]);
  const [beat] = await stranger.heartbeat([lease], 1_000);
  expect([beat?.ok, beat?.turn], "heartbeat").toEqual([false, undefined]);
}

async function textsOf(kit: StoreKit, snapshotId: string): Promise<string> {
  const read = await kit.store.turns.read(kit.caller, { snapshotId }, { known: [] });
  return JSON.stringify(loadState(present(read?.chain, "chain")));
}
