import type { SessionRecord, StateText } from "@agents/schema/port";
import { expect } from "vitest";
import { contractArea } from "../contract-test.ts";
import { importable, statesOf } from "../kit/importable.ts";
import { loadState } from "../kit/load-state.ts";
import { type CompletedTurn, present, type StoreKit } from "../kit/store-kit.ts";
import { batch, START } from "../kit/test-outcome.ts";
import { tick } from "../kit/time.ts";

const ELSEWHERE = { scope: "tenant-b" };

/** Two ids whose sessions have the same route, so that a snapshot of one could be of the other. */
const SAME_ROUTE = ["session-16250", "session-52884"] as const;

export const transferContract = contractArea(
  "transfer",
  { needs: ["index"] },
  {
    "exports nothing that does not exist for the caller": async (kit) => {
      const index = kit.part("index");
      const mine = kit.as({ ...kit.caller, owner: "me" });
      const { turn } = await mine.complete({ sessionId: kit.newSession() });
      expect(await index.exportSession(kit.caller, kit.newSession())).toBeUndefined();
      expect(await index.exportSession(ELSEWHERE, turn.sessionId)).toBeUndefined();
      expect(await index.exportSession({ ...kit.caller, owner: "you" }, turn.sessionId)).toBeUndefined();
      expect(await index.exportSession(mine.caller, turn.sessionId)).toBeDefined();
    },

    "gives to another tenant exactly what was exported": async (kit) => {
      const { record, turns } = await exportedTree(kit);
      const there = kit.as(ELSEWHERE);
      expect(await importInto(there, record)).toEqual({ type: "imported" });
      expect(withStates(await exportOf(there, record.session.sessionId))).toEqual(withStates(record));
      for (const { turn } of record.turns) expect(await there.meta(turn.snapshotId)).toEqual(turn);
      for (const { id, content } of turns) expect(await stateOf(there, id)).toEqual(content.value);
      const { forked: _, fingerprint: __, ...session } = record.session;
      expect(await kit.part("index").getSession(ELSEWHERE, session.sessionId)).toEqual(session);
      const page = await kit.part("index").listTurns(ELSEWHERE, session.sessionId, { limit: 100 });
      expect(page.items).toEqual(record.turns.map(({ turn }) => turn).toReversed());
      const listed = await kit.part("index").listSessions(ELSEWHERE, { limit: 100 });
      expect(listed.items.map(({ sessionId }) => sessionId)).toEqual([session.sessionId]);
      expect(await exportOf(kit, session.sessionId), "the original").toEqual(record);
    },

    "brings back a session that was deleted, and it goes on where it was": async (kit) => {
      const { record, sessionId, head } = await exportedTree(kit);
      await kit.part("index").deleteSession(kit.caller, sessionId);
      expect(await importInto(kit, record)).toEqual({ type: "imported" });
      const next = await kit.begun({ sessionId, create: false });
      expect([next.parent?.snapshotId, next.turn.ordinal]).toEqual([head.id, record.turns.length + 1]);
      expect(loadState(next.chain)).toEqual(head.content.value);
    },

    "tells a turn that is begun again from another, as before": async (kit) => {
      const sessionId = kit.newSession();
      const { id } = await kit.complete({ sessionId, fingerprint: "body" });
      const there = await moved(kit, sessionId);
      const again = { sessionId, snapshotId: id };
      expect((await there.begin({ ...again, fingerprint: "body" })).type).toBe("existing");
      expect((await there.begin({ ...again, fingerprint: "another" })).type).toBe("conflict");
    },

    "keeps a session that was created and has no turns, with its fingerprint and metadata": async (kit) => {
      const index = kit.part("index");
      const request = { sessionId: kit.newSession(), agent: "agent", metadata: '"a\\u0000b"', fingerprint: "f" };
      await index.createSession(kit.caller, request);
      await moved(kit, request.sessionId);
      expect((await index.createSession(ELSEWHERE, request)).type).toBe("existing");
      expect((await index.createSession(ELSEWHERE, { ...request, fingerprint: "g" })).type).toBe("conflict");
      expect((await index.getSession(ELSEWHERE, request.sessionId))?.metadata).toBe(request.metadata);
    },

    "keeps an archived session archived": async (kit) => {
      const sessionId = kit.newSession();
      await kit.complete({ sessionId });
      await kit.part("index").updateSession(kit.caller, sessionId, { state: "archived" });
      expect(await (await moved(kit, sessionId)).begin({ sessionId })).toEqual({ type: "archived" });
    },

    "keeps whether a session is forked, and what makes it so later": async (kit) => {
      const sessionId = kit.newSession();
      const first = await kit.complete({ sessionId });
      const second = await kit.complete({ sessionId, after: first });
      const declined = await kit.begun({ branchOf: second.id });
      await kit.settle(declined.lease, { status: "completed", heads: [] });
      const there = await moved(kit, sessionId);
      // It goes on from the head, with a row between them that never was one.
      const third = await there.complete({ branchOf: declined.lease.snapshotId, after: second });
      await there.complete({ sessionId, after: third, ifForked: "reject" });
      await there.complete({ branchOf: first.id, after: first });
      expect(await there.begin({ sessionId, ifForked: "reject" })).toEqual({ type: "forked" });
      const copy = there.as({ scope: "tenant-c" });
      await importInto(copy, await exportOf(there, sessionId));
      expect(await copy.begin({ sessionId, ifForked: "reject" })).toEqual({ type: "forked" });
    },

    "keeps a turn waiting, until a child has answered": async (kit) => {
      const sessionId = kit.newSession();
      const first = await kit.complete({ sessionId });
      const asking = { branchOf: first.id, after: first, kind: "full", waiting: true } as const;
      const answered = await kit.complete(asking);
      await kit.complete({ branchOf: answered.id, kind: "full" });
      const unanswered = await kit.complete(asking);
      const asked = await kit.complete(asking);
      const head = await kit.complete({ branchOf: first.id, kind: "full" });
      const there = await moved(kit, sessionId);
      const pruned = async (turn: CompletedTurn) => (await there.meta(turn.id)) === undefined;
      await pruneAll(there, sessionId);
      expect([await pruned(answered), await pruned(unanswered), await pruned(asked)]).toEqual([true, false, false]);
      await there.complete({ branchOf: asked.id, kind: "full" });
      await pruneAll(there, sessionId);
      expect([await pruned(unanswered), await pruned(asked), await pruned(head)]).toEqual([false, true, true]);
    },

    "answers conflict where the session exists, also another owner's, and writes nothing": async (kit) => {
      const { record, sessionId } = await exportedTree(kit);
      expect(await importInto(kit, record)).toEqual({ type: "conflict" });
      expect(await exportOf(kit, sessionId)).toEqual(record);
      const theirs = kit.as({ ...ELSEWHERE, owner: "them" });
      await theirs.part("index").createSession(theirs.caller, { sessionId, agent: "agent" });
      const mine = kit.as({ ...ELSEWHERE, owner: "me" });
      expect(await importInto(mine, record)).toEqual({ type: "conflict" });
      for (const { turn } of record.turns) expect(await theirs.meta(turn.snapshotId)).toBeUndefined();
      expect((await theirs.part("index").getSession(theirs.caller, sessionId))?.headId).toBeUndefined();
    },

    "answers conflict where one of the turns exists in another session, and writes nothing": async (kit) => {
      const [sessionId, other] = SAME_ROUTE;
      const first = await kit.complete({ sessionId });
      const second = await kit.complete({ sessionId, after: first });
      const record = await exportOf(kit, sessionId);
      await kit.part("index").deleteSession(kit.caller, sessionId);
      const taken = await kit.begun({ sessionId: other, snapshotId: second.id });
      expect(await importInto(kit, record)).toEqual({ type: "conflict" });
      expect(await kit.part("index").getSession(kit.caller, sessionId)).toBeUndefined();
      expect(await kit.meta(first.id)).toBeUndefined();
      expect(await kit.meta(second.id)).toEqual(taken.turn);
    },

    "gives the session to the owner who imports it, else leaves it with its own": async (kit) => {
      const mine = kit.as({ ...kit.caller, owner: "me" });
      const { id, turn } = await mine.complete({ sessionId: kit.newSession() });
      const record = await exportOf(kit, turn.sessionId);
      expect(record.session.owner).toBe("me");
      const left = kit.as(ELSEWHERE);
      await importInto(left, record);
      expect((await left.meta(id))?.owner).toBe("me");
      expect(await left.as({ ...ELSEWHERE, owner: "you" }).meta(id)).toBeUndefined();
      const yours = kit.as({ scope: "tenant-c", owner: "you" });
      await importInto(yours, record);
      expect((await yours.meta(id))?.owner).toBe("you");
      expect((await yours.part("index").getSession(yours.caller, turn.sessionId))?.owner).toBe("you");
    },

    "moves a session whose oldest turns were pruned": async (kit) => {
      const sessionId = kit.newSession();
      let last = await kit.complete({ sessionId });
      const turns = [last];
      for (let step = 0; step < 6; step++) {
        last = await kit.complete({
          sessionId,
          after: last,
          kind: step === 2 ? "full" : "patch",
          text: `turn ${step}`,
        });
        turns.push(last);
      }
      await kit.part("index").prune(kit.caller, sessionId, { keepLast: 2 }, 100);
      const record = await exportOf(kit, sessionId);
      expect(record.turns.length).toBeLessThan(turns.length);
      expect(record.turns[0]?.turn.parentId, "the name of a dropped parent").toBeDefined();
      const states = statesOf(record);
      const there = await moved(kit, sessionId);
      for (const { turn } of record.turns) {
        const { content } = present(turns[turn.ordinal - 1], "the turn");
        expect(states.get(turn.snapshotId)).toEqual(content.value);
        expect(await stateOf(there, turn.snapshotId)).toEqual(content.value);
        expect(await there.meta(turn.snapshotId)).toEqual(turn);
      }
      await there.complete({ sessionId, after: last });
    },

    "loses no state of a row that has none of its own when its ancestors were pruned": async (kit) => {
      const sessionId = kit.newSession();
      const first = await kit.complete({ sessionId });
      const second = await kit.complete({ sessionId, after: first });
      const head = await kit.begun({ sessionId });
      await kit.settle(head.lease, { status: "completed" });
      await kit.part("index").prune(kit.caller, sessionId, { keepLast: 1 }, 100);
      const next = await (await moved(kit, sessionId)).begun({ sessionId });
      expect(next.turn.parentId).toBe(head.lease.snapshotId);
      expect(loadState(next.chain)).toEqual(second.content.value);
    },

    "exports live turns as they are, and imports none": async (kit) => {
      const index = kit.part("index");
      const sessionId = kit.newSession();
      const first = await kit.complete({ sessionId });
      const live = await kit.begun({ sessionId });
      const record = await exportOf(kit, sessionId);
      expect(record.session.activeId).toBeUndefined();
      expect(record.turns.map(({ turn }) => turn)).toEqual([first.turn, live.turn]);
      expect(record.turns[1]?.content).toBeUndefined();
      const attempt = importInto(kit.as(ELSEWHERE), record);
      await expect(attempt).rejects.toThrow(expect.objectContaining({ status: "INVALID_ARGUMENT" }));
      await expect(attempt).rejects.toThrow(live.lease.snapshotId);
      expect(await index.getSession(ELSEWHERE, sessionId)).toBeUndefined();
      expect(await kit.as(ELSEWHERE).meta(first.id)).toBeUndefined();
    },
  },
);

export const eventTransferContract = contractArea(
  "transfer",
  { needs: ["index", "events"] },
  {
    "moves the events of every turn, with the epochs of their writers": async (kit) => {
      const sessionId = kit.newSession();
      const { lease } = await kit.stale({ sessionId, events: batch(1, "a", "b") });
      const claimed = await kit.claim(lease.snapshotId);
      expect(claimed.type).toBe("claimed");
      await kit.settle({ ...lease, epoch: 2 }, { status: "completed", events: batch(3, "\u0000c") });
      const page = { after: START, limit: 10 };
      const before = await kit.part("events").readEvents(kit.caller, lease.snapshotId, page);
      await moved(kit, sessionId);
      const after = await kit.part("events").readEvents(ELSEWHERE, lease.snapshotId, page);
      expect(after).toEqual(before);
      expect(after?.events.map(({ epoch }) => epoch)).toEqual([1, 1, 2]);
      const rest = await kit.part("events").readEvents(ELSEWHERE, lease.snapshotId, {
        after: { epoch: 1, seq: 7 },
        limit: 10,
      });
      expect(rest?.events.map(({ seq }) => seq)).toEqual([3]);
    },

    "moves a turn whose events were pruned": async (kit) => {
      const sessionId = kit.newSession();
      const { id } = await kit.complete({ sessionId, events: batch(1, "a", "b") });
      await tick(kit.time);
      await kit.part("index").prune(kit.caller, sessionId, { eventsOlderThanMs: 0 }, 10);
      const there = await moved(kit, sessionId);
      const read = await there.part("events").readEvents(ELSEWHERE, id, { after: START, limit: 10 });
      expect(read).toMatchObject({ events: [], turn: { lastSeq: 2, status: "completed" } });
    },
  },
);

async function exportOf(kit: StoreKit, sessionId: string): Promise<SessionRecord<StateText>> {
  return present(await kit.part("index").exportSession(kit.caller, sessionId), "the exported session");
}

function importInto(kit: StoreKit, record: SessionRecord<StateText>): Promise<{ type: "imported" | "conflict" }> {
  return kit.part("index").importSession(kit.caller, importable(record));
}

/** The session, under another scope. */
async function moved(kit: StoreKit, sessionId: string): Promise<StoreKit> {
  const there = kit.as(ELSEWHERE);
  expect(await importInto(there, await exportOf(kit, sessionId))).toEqual({ type: "imported" });
  return there;
}

/** All that age alone allows. */
async function pruneAll(kit: StoreKit, sessionId: string): Promise<void> {
  await tick(kit.time);
  await kit.part("index").prune(kit.caller, sessionId, { olderThanMs: 0 }, 100);
}

/** Whether a state is kept whole or as a patch is each store's own business. */
function withStates(record: SessionRecord<StateText>): unknown {
  const states = statesOf(record);
  const turns = record.turns.map((turn) => ({ ...turn, content: states.get(turn.turn.snapshotId) }));
  return { ...record, turns };
}

async function stateOf(kit: StoreKit, snapshotId: string): Promise<unknown> {
  const read = await kit.store.turns.read(kit.caller, { snapshotId }, { known: [] });
  return loadState(present(read?.chain, "chain"));
}

interface Tree {
  readonly sessionId: string;
  readonly record: SessionRecord<StateText>;
  /** Those that have a state. */
  readonly turns: readonly CompletedTurn[];
  readonly head: CompletedTurn;
}

/** A session with all there can be: branches, failed, aborted and declined turns, patches and whole states, events. */
async function exportedTree(kit: StoreKit): Promise<Tree> {
  const sessionId = kit.newSession();
  const first = await kit.complete({ sessionId, events: batch(1, "one") });
  const second = await kit.complete({ sessionId, after: first, waiting: true });
  const failed = await kit.begun({ sessionId });
  await kit.settle(failed.lease, { status: "failed", events: batch(1, "failed") });
  const aborted = await kit.begun({ branchOf: first.id });
  await kit.abort(aborted.lease.snapshotId);
  await kit.settle(aborted.lease, { status: "completed" });
  const branch = await kit.complete({ branchOf: first.id, after: first, kind: "full" });
  const declined = await kit.begun({ branchOf: branch.id });
  await kit.settle(declined.lease, { status: "completed", heads: [] });
  const head = await kit.complete({ branchOf: declined.lease.snapshotId, after: branch, text: "goes on" });
  return { sessionId, record: await exportOf(kit, sessionId), turns: [first, second, branch, head], head };
}
