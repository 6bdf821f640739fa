import type { EventBatch, Fenced, Lease, StateContent, StoredEvent } from "@agents/schema/port";
import { expect } from "vitest";
import { contractArea } from "../contract-test.ts";
import { loadState } from "../kit/load-state.ts";
import { fullContent, patchContent, stateAfter, type TestContent } from "../kit/state-content.ts";
import { type CompletedTurn, LONG_LEASE_MS, present, type StoreKit } from "../kit/store-kit.ts";
import { batch, closingOutcome, LOST, START } from "../kit/test-outcome.ts";

export const eventContract = contractArea(
  "events",
  { needs: ["events"] },
  {
    "numbers the events of begin, append and settle from 1, in order and without gaps": async (kit) => {
      const { lease, turn } = await kit.begun({ sessionId: kit.newSession(), events: batch(1, "a", "b") });
      expect(turn.lastSeq).toBe(2);
      expect(await append(kit, lease, batch(3, "c"))).toMatchObject({ ok: true, turn: { lastSeq: 3 } });
      expect(await append(kit, lease, batch(4, "d", "e"))).toMatchObject({ ok: true, turn: { lastSeq: 5 } });
      const settled = await kit.settle(lease, { status: "completed", events: batch(6, "f") });
      expect(settled).toMatchObject({ ok: true, turn: { lastSeq: 6 } });
      const events = await eventsOf(kit, lease.snapshotId);
      expect(events).toEqual(["a", "b", "c", "d", "e", "f"].map((text, index) => stored(index + 1, text)));
    },

    "writes the events of the outcome that is written, and no others": async (kit) => {
      const { lease } = await kit.begun({ sessionId: kit.newSession() });
      await kit.abort(lease.snapshotId);
      await kit.store.turns.settle(kit.caller, lease, {
        pending: { status: "completed", result: "{}", events: batch(1, "completed") },
        aborting: { status: "aborted", result: "{}", events: batch(1, "aborted", "really") },
        heads: [],
      });
      expect(await eventsOf(kit, lease.snapshotId)).toEqual([stored(1, "aborted"), stored(2, "really")]);
    },

    "numbers the events of whoever closes a stale turn after those that are stored, under the raised epoch": async (
      kit,
    ) => {
      const aborted = await kit.stale({ sessionId: kit.newSession(), events: batch(1, "a", "b") });
      await kit.abort(aborted.lease.snapshotId, { events: batch(1, "gone") });
      const lost = await kit.stale({ sessionId: kit.newSession(), events: batch(1, "a", "b") });
      const pending = closingOutcome({ status: "failed", events: batch(1, "gone") });
      await kit.begun({ sessionId: lost.lease.sessionId, lost: { ...LOST, pending } });
      for (const { snapshotId } of [aborted.lease, lost.lease]) {
        expect(await eventsOf(kit, snapshotId)).toEqual([stored(1, "a"), stored(2, "b"), stored(3, "gone", 2)]);
        expect((await kit.meta(snapshotId))?.lastSeq).toBe(3);
      }
    },

    "refuses a settle whose events do not follow, and writes nothing": async (kit) => {
      const { lease, turn } = await kit.begun({ sessionId: kit.newSession(), events: batch(1, "a", "b") });
      for (const firstSeq of [1, 2, 4]) {
        const refused = await kit.settle(lease, { status: "completed", events: batch(firstSeq, "end") });
        expect(refused, `from ${firstSeq}`).toEqual({ ok: false, turn });
      }
      expect(await kit.meta(lease.snapshotId)).toEqual(turn);
      expect((await kit.settle(lease, { status: "completed", events: batch(99) })).ok, "no events").toBe(true);
    },

    "raises the version with events and saved progress, and shows no progress as the row's state": async (kit) => {
      const sessionId = kit.newSession();
      const first = await kit.complete({ sessionId });
      const { lease, turn } = await kit.begun({ sessionId });
      const appended = await append(kit, lease, batch(1, "a"));
      expect(appended.turn?.version).toBeGreaterThan(turn.version);
      const saved = await append(kit, lease, batch(2), progressOf(first, "half"));
      expect(saved.turn?.version).toBeGreaterThan(present(appended.turn, "row").version);
      expect(saved.turn?.state).toBeUndefined();
    },

    "goes on for a reader who holds events that were sent and never stored": async (kit) => {
      const { lease } = await kit.stale({ sessionId: kit.newSession(), events: batch(1, "a", "b") });
      await kit.claim(lease.snapshotId);
      await append(kit, { ...lease, epoch: 2 }, batch(3, "restarted", "c"));
      const seqs = async (epoch: number, seq: number) => {
        const after = { after: { epoch, seq }, limit: 10 };
        const page = await kit.part("events").readEvents(kit.caller, lease.snapshotId, after);
        return page?.events.map((event) => event.seq);
      };
      expect(await seqs(1, 1)).toEqual([2, 3, 4]);
      expect(await seqs(1, 2)).toEqual([3, 4]);
      expect(await seqs(1, 7), "5 of them were never stored").toEqual([3, 4]);
      expect(await seqs(2, 3)).toEqual([4]);
      expect(await seqs(2, 4)).toEqual([]);
      expect(await seqs(2, 9)).toEqual([]);
      expect(await seqs(0, 0)).toEqual([1, 2, 3, 4]);
    },

    "gives pages after a position, at most as many as asked for, with the row": async (kit) => {
      const texts = Array.from({ length: 25 }, (_, index) => `event ${index + 1}`);
      const { lease } = await kit.begun({ sessionId: kit.newSession(), events: batch(1, ...texts) });
      const seqs = async (after: number, limit: number) =>
        (await readEvents(kit, lease.snapshotId, after, limit)).events.map(({ seq }) => seq);
      expect(await seqs(0, 10)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
      expect(await seqs(10, 10)).toEqual([11, 12, 13, 14, 15, 16, 17, 18, 19, 20]);
      expect(await seqs(20, 10)).toEqual([21, 22, 23, 24, 25]);
      expect(await seqs(7, 1)).toEqual([8]);
      expect(await seqs(25, 10)).toEqual([]);
      expect(await seqs(99, 10)).toEqual([]);
      expect((await readEvents(kit, lease.snapshotId, 0, 1)).turn).toEqual(await kit.meta(lease.snapshotId));
    },

    "starts a page inside a batch": async (kit) => {
      const { lease } = await kit.begun({ sessionId: kit.newSession(), events: batch(1, "a", "b", "c") });
      await append(kit, lease, batch(4, "d", "e", "f"));
      const { events } = await readEvents(kit, lease.snapshotId, 1, 4);
      expect(events).toEqual([stored(2, "b"), stored(3, "c"), stored(4, "d"), stored(5, "e")]);
    },

    "answers undefined for an unknown turn, and none for a turn without events": async (kit) => {
      const { lease } = await kit.begun({ sessionId: kit.newSession() });
      const page = { after: START, limit: 10 };
      const events = kit.part("events");
      expect(await events.readEvents(kit.caller, kit.newSnapshotId("x"), page)).toBeUndefined();
      expect((await readEvents(kit, lease.snapshotId, 0, 10)).events).toEqual([]);
    },

    "hides events from other scopes and owners, for reading and for writing": async (kit) => {
      const alice = kit.as({ ...kit.caller, owner: "alice" });
      const { lease } = await alice.begun({ sessionId: kit.newSession(), events: batch(1, "secret") });
      for (const stranger of [kit.as({ scope: "tenant-b" }), kit.as({ ...kit.caller, owner: "bob" })]) {
        const page = { after: START, limit: 10 };
        const read = await kit.part("events").readEvents(stranger.caller, lease.snapshotId, page);
        expect(read).toBeUndefined();
        const refused = await append(stranger, lease, batch(2, "forged"));
        expect([refused.ok, refused.turn]).toEqual([false, undefined]);
      }
      expect(await eventsOf(alice, lease.snapshotId)).toHaveLength(1);
    },

    "refuses a batch that leaves a gap or overlaps, and says where the log stands": async (kit) => {
      const { lease } = await kit.begun({ sessionId: kit.newSession(), events: batch(1, "a", "b") });
      for (const wrong of [batch(4, "gap"), batch(2, "other"), batch(2, "b", "c"), batch(0, "zero")]) {
        expect(await append(kit, lease, wrong), JSON.stringify(wrong)).toMatchObject({
          ok: false,
          turn: { lastSeq: 2 },
        });
      }
      expect(await eventsOf(kit, lease.snapshotId)).toEqual([stored(1, "a"), stored(2, "b")]);
    },

    "answers ok to its own repeated batch, and stores it once": async (kit) => {
      const { lease } = await kit.begun({ sessionId: kit.newSession(), events: batch(1, "a") });
      await append(kit, lease, batch(2, "b", "c"));
      expect(await append(kit, lease, batch(2, "b", "c"))).toMatchObject({ ok: true, turn: { lastSeq: 3 } });
      expect(await eventsOf(kit, lease.snapshotId)).toEqual([stored(1, "a"), stored(2, "b"), stored(3, "c")]);
    },

    "stores the events of a repeated settle once": async (kit) => {
      const { lease } = await kit.begun({ sessionId: kit.newSession() });
      const request = { status: "completed", events: batch(1, "end") } as const;
      await kit.settle(lease, request);
      expect(await kit.settle(lease, request)).toMatchObject({ ok: true, turn: { lastSeq: 1 } });
      expect(await eventsOf(kit, lease.snapshotId)).toEqual([stored(1, "end")]);
    },

    "refuses another epoch, and a row that is final": async (kit) => {
      const { lease } = await kit.begun({ sessionId: kit.newSession() });
      expect(await append(kit, { ...lease, epoch: 2 }, batch(1, "x"))).toMatchObject({ ok: false, turn: { epoch: 1 } });
      await kit.settle(lease, { status: "completed" });
      expect(await append(kit, lease, batch(1, "x"))).toMatchObject({ ok: false, turn: { status: "completed" } });
      expect(await eventsOf(kit, lease.snapshotId)).toEqual([]);
    },

    "takes events of a turn that is aborting, and tells its worker so": async (kit) => {
      const { lease } = await kit.begun({ sessionId: kit.newSession() });
      await kit.abort(lease.snapshotId);
      expect(await append(kit, lease, batch(1, "still here"))).toMatchObject({
        ok: true,
        turn: { status: "aborting" },
      });
    },

    "renews the lease, also with an empty batch": async (kit) => {
      for (const events of [batch(1, "x"), batch(1)]) {
        const { lease } = await kit.stale({ sessionId: kit.newSession() });
        expect(await append(kit, lease, events)).toMatchObject({ ok: true, turn: { stale: false } });
        expect((await kit.meta(lease.snapshotId))?.stale).toBe(false);
      }
    },

    "marks events with the epoch of their writer, and goes on after a takeover": async (kit) => {
      const { lease } = await kit.stale({ sessionId: kit.newSession(), events: batch(1, "a") });
      const claimed = await kit.claim(lease.snapshotId);
      expect(claimed).toMatchObject({ type: "claimed", turn: { lastSeq: 1 } });
      const second = { ...lease, epoch: 2 };
      await append(kit, second, batch(2, "restarted"));
      await kit.settle(second, { status: "completed", events: batch(3, "end") });
      expect(await eventsOf(kit, lease.snapshotId)).toEqual([
        stored(1, "a"),
        stored(2, "restarted", 2),
        stored(3, "end", 2),
      ]);
    },

    "saves progress that a claim starts from, the newest only": async (kit) => {
      const sessionId = kit.newSession();
      const first = await kit.complete({ sessionId, text: "before" });
      const { lease } = await kit.begun({ sessionId });
      for (const [index, step] of ["one", "two"].entries()) {
        const progress = progressOf(first, step);
        expect((await append(kit, lease, batch(index + 1, step), progress)).ok).toBe(true);
      }
      await append(kit, lease, batch(3, "tail"), undefined, kit.time.lapsingMs);
      await kit.lapsed(lease.snapshotId);
      const claimed = await kit.claim(lease.snapshotId, { known: [first.id] });
      const chain = present(claimed.type === "claimed" ? claimed.chain : undefined, "the claimed turn's chain");
      const known = new Map([[first.id, first.content.value]]);
      expect(loadState(chain, known)).toEqual(progressOf(first, "two").value);
    },

    "drops the progress of a turn that ends without a state": async (kit) => {
      const sessionId = kit.newSession();
      const first = await kit.complete({ sessionId });
      const { lease } = await kit.begun({ sessionId });
      await append(kit, lease, batch(1, "x"), progressOf(first, "half"));
      const settled = await kit.settle(lease, { status: "failed", events: batch(2) });
      expect(settled.turn?.state).toBeUndefined();
      const at = { snapshotId: lease.snapshotId };
      const read = await kit.store.turns.read(kit.caller, at, { known: [] });
      expect(loadState(present(read?.chain, "chain"))).toEqual(first.content.value);
    },
  },
);

function stored(seq: number, text: string, epoch = 1): StoredEvent {
  return { seq, epoch, json: JSON.stringify({ text }) };
}

/** Half of the turn after `before`: a patch at the first step, a checkpoint at later ones. */
function progressOf({ turn, content }: CompletedTurn, step: string): TestContent {
  const state = stateAfter(content.value, turn.sessionId, step);
  return step === "one" ? patchContent(state, content) : fullContent(state, content);
}

function append(
  kit: StoreKit,
  lease: Lease,
  events: EventBatch,
  progress?: StateContent,
  leaseMs = LONG_LEASE_MS,
): Promise<Fenced> {
  const request = { batch: events, leaseMs, ...(progress === undefined ? {} : { progress }) };
  return kit.part("events").append(kit.caller, lease, request);
}

async function readEvents(kit: StoreKit, snapshotId: string, after: number, limit: number) {
  return present(
    await kit.part("events").readEvents(kit.caller, snapshotId, { after: { epoch: 1, seq: after }, limit }),
    "the turn",
  );
}

async function eventsOf(kit: StoreKit, snapshotId: string): Promise<readonly StoredEvent[]> {
  return (await readEvents(kit, snapshotId, 0, 1_000)).events;
}
