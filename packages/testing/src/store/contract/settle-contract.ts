import { expect } from "vitest";
import { contractArea } from "../contract-test.ts";
import { figuresOf, fullContent } from "../kit/state-content.ts";
import type { Begun, StoreKit } from "../kit/store-kit.ts";
import { testOutcome } from "../kit/test-outcome.ts";

const STATUSES = ["completed", "failed", "aborted"] as const;

export const settleContract = contractArea(
  "settle",
  {},
  {
    "writes status, result and the figures of the state, and ends the lease": async (kit) => {
      for (const status of STATUSES) {
        const begun = await begin(kit);
        const content = contentFor(begun, status);
        const result = JSON.stringify({ finishReason: status, usage: { inputTokens: 3 } });
        const settled = await kit.settle(begun.lease, { status, result, content });
        expect(settled).toMatchObject({ ok: true, turn: { status, result, stale: false, epoch: 1 } });
        expect(settled.turn?.state).toEqual(figuresOf(content));
        expect(settled.turn?.heartbeatAt).toBeUndefined();
        expect(settled.turn?.version).toBeGreaterThan(begun.turn.version);
        expect(await kit.meta(begun.lease.snapshotId)).toEqual(settled.turn);
      }
    },

    "keeps a row without a state when none is given": async (kit) => {
      const begun = await begin(kit);
      const settled = await kit.settle(begun.lease, { status: "completed" });
      expect(settled.ok).toBe(true);
      expect(settled.turn?.state).toBeUndefined();
    },

    "frees the session for the next send, however the turn ended": async (kit) => {
      for (const status of STATUSES) {
        const begun = await begin(kit);
        await kit.settle(begun.lease, { status });
        await kit.begun({ sessionId: begun.lease.sessionId });
      }
    },

    "ends an aborting row only as aborted, with the outcome for that": async (kit) => {
      const begun = await begin(kit);
      await kit.abort(begun.lease.snapshotId);
      const settled = await kit.settle(begun.lease, {
        status: "completed",
        content: contentFor(begun, "too late"),
        aborting: testOutcome({ status: "aborted", result: '"stopped"' }),
      });
      expect(settled).toMatchObject({ ok: true, turn: { status: "aborted", result: '"stopped"' } });
      expect(settled.turn?.state).toBeUndefined();
      const next = await kit.begun({ sessionId: begun.lease.sessionId });
      expect(next.turn.parentId, "the head did not move").toBeUndefined();
    },

    "refuses an epoch that is not the row's, and says how the row is": async (kit) => {
      const begun = await begin(kit);
      for (const epoch of [0, 2, 99]) {
        const refused = await kit.settle({ ...begun.lease, epoch }, { status: "completed" });
        expect(refused).toEqual({ ok: false, turn: begun.turn });
      }
      expect(await kit.meta(begun.lease.snapshotId)).toEqual(begun.turn);
    },

    "answers ok to the very same settle again, and changes nothing": async (kit) => {
      for (const status of STATUSES) {
        const begun = await begin(kit);
        const request = { status, content: contentFor(begun, "same") };
        const first = await kit.settle(begun.lease, request);
        expect(await kit.settle(begun.lease, request)).toEqual(first);
      }
    },

    "answers ok to the very same settle of a row that was aborting": async (kit) => {
      const begun = await begin(kit);
      await kit.abort(begun.lease.snapshotId);
      const request = { status: "completed", content: contentFor(begun, "same") } as const;
      const first = await kit.settle(begun.lease, request);
      expect(await kit.settle(begun.lease, request)).toEqual(first);
      expect(first).toMatchObject({ ok: true, turn: { status: "aborted" } });
    },

    "writes nothing more to a row that is final, and answers how it ended": async (kit) => {
      const begun = await begin(kit);
      const first = await kit.settle(begun.lease, { status: "completed", content: contentFor(begun, "one") });
      const second = await kit.settle(begun.lease, { status: "failed", aborting: OTHER });
      expect(second).toEqual({ ok: true, turn: first.turn });
      expect(await kit.meta(begun.lease.snapshotId)).toEqual(first.turn);
    },

    "a repeated settle does not disturb the turn that began since": async (kit) => {
      const sessionId = kit.newSession();
      const begun = await kit.begun({ sessionId });
      const request = { status: "completed", content: contentFor(begun, "x") } as const;
      await kit.settle(begun.lease, request);
      const next = await kit.begun({ sessionId });
      await kit.settle(begun.lease, request);
      expect(await kit.begin({ sessionId })).toEqual({ type: "busy", turn: next.turn });
    },

    "accepts a settle after the lease ran out, while nobody took the turn": async (kit) => {
      const begun = await kit.stale({ sessionId: kit.newSession() });
      expect(await kit.settle(begun.lease, { status: "completed" })).toMatchObject({
        ok: true,
        turn: { status: "completed", stale: false },
      });
    },
  },
);

const OTHER = testOutcome({ status: "aborted", result: '"other"' });

function begin(kit: StoreKit): Promise<Begun> {
  return kit.begun({ sessionId: kit.newSession() });
}

function contentFor({ turn }: Begun, text: string): ReturnType<typeof fullContent> {
  return fullContent({ sessionId: turn.sessionId, messages: [{ text }], artifacts: [] });
}
