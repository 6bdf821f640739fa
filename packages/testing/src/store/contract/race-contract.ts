import { expect } from "vitest";
import { contractArea } from "../contract-test.ts";
import { fullContent, stateAfter } from "../kit/state-content.ts";
import { type Begun, present, type StoreKit } from "../kit/store-kit.ts";

const WRITERS = 50;
const RACES = 1_000;

export const raceContract = contractArea(
  "races",
  { timeoutMs: 120_000 },
  {
    "begins exactly one of 50 concurrent sends to a new session, and answers busy to the others": async (kit) => {
      const sessionId = kit.newSession();
      const results = await Promise.all(Array.from({ length: WRITERS }, () => kit.begin({ sessionId })));
      const begun = results.filter((result): result is Begun => result.type === "begun");
      expect(begun).toHaveLength(1);
      const { snapshotId } = present(begun[0], "the winner").lease;
      for (const result of results) {
        if (result.type !== "begun") expect(result).toMatchObject({ type: "busy", turn: { snapshotId } });
      }
    },

    "begins exactly one of 50 concurrent sends over a stale turn": async (kit) => {
      const sessionId = kit.newSession();
      const lost = await kit.stale({ sessionId });
      const results = await Promise.all(Array.from({ length: WRITERS }, () => kit.begin({ sessionId })));
      const begun = results.filter((result): result is Begun => result.type === "begun");
      expect(begun.map(({ closed }) => closed)).toEqual([lost.lease.snapshotId]);
      expect((await kit.meta(lost.lease.snapshotId))?.epoch).toBe(2);
    },

    "makes one linear history of 50 writers that retry": async (kit) => {
      const sessionId = kit.newSession();
      const said = Array.from({ length: WRITERS }, (_, index) => `writer ${index}`);
      await Promise.all(said.map((text) => sayUntilHeard(kit, sessionId, text)));
      const turns = [];
      let at = (await kit.latest(sessionId, ["completed"]))?.snapshotId;
      while (at !== undefined) {
        const turn = present(await kit.meta(at), "an ancestor");
        turns.push(turn.ordinal);
        at = turn.parentId;
      }
      expect(turns).toEqual(Array.from({ length: WRITERS }, (_, index) => WRITERS - index));
    },

    "gives one row to concurrent begins of many writers with the same id": async (kit) => {
      const sessionId = kit.newSession();
      const snapshotId = kit.newSnapshotId(sessionId);
      const begin = { sessionId, snapshotId, fingerprint: "same" };
      const types = (await Promise.all(Array.from({ length: 20 }, () => kit.begin(begin)))).map(({ type }) => type);
      expect(types.toSorted()).toEqual(["begun", ...Array.from({ length: 19 }, () => "existing")]);
    },

    "gives concurrent branches ordinals of their own": async (kit) => {
      const first = await kit.complete({ sessionId: kit.newSession() });
      const branches = await Promise.all(Array.from({ length: 20 }, () => kit.begun({ branchOf: first.id })));
      const ordinals = branches.map(({ turn }) => turn.ordinal).toSorted((a, b) => a - b);
      expect(ordinals).toEqual(Array.from({ length: 20 }, (_, index) => index + 2));
    },

    "leaves one terminal status when abort and settle race, and all answers agree with the row": async (kit) => {
      for (let race = 0; race < RACES; race++) {
        const { lease } = await kit.begun({ sessionId: kit.newSession() });
        const abort = () => kit.abort(lease.snapshotId);
        const settle = () => kit.settle(lease, { status: "completed" });
        const [aborted, settled] = await bothWays(race, abort, settle);
        const row = await kit.meta(lease.snapshotId);
        expect(settled).toEqual({ ok: true, turn: row });
        const tooLate = row?.status === "completed";
        expect(row?.status).toBe(tooLate ? "completed" : "aborted");
        expect(aborted?.before.status).toBe(tooLate ? "completed" : "pending");
        expect(aborted?.after.status).toBe(tooLate ? "completed" : "aborting");
      }
    },

    "applies exactly one of two settles that race": async (kit) => {
      for (let race = 0; race < 50; race++) {
        const { lease } = await kit.begun({ sessionId: kit.newSession() });
        const answers = await Promise.all([
          kit.settle(lease, { status: "completed", result: '"one"' }),
          kit.settle(lease, { status: "failed", result: '"two"' }),
        ]);
        const row = await kit.meta(lease.snapshotId);
        expect([
          ["completed", '"one"'],
          ["failed", '"two"'],
        ]).toContainEqual([row?.status, row?.result]);
        for (const answer of answers) expect(answer).toEqual({ ok: true, turn: row });
      }
    },

    "does not deadlock when settles, begins and aborts of one session meet": async (kit) => {
      const sessionId = kit.newSession();
      const first = await kit.complete({ sessionId });
      const branches = await Promise.all(Array.from({ length: 20 }, () => kit.begun({ branchOf: first.id })));
      await Promise.all(
        branches.flatMap(({ lease }, index) => [
          index % 2 === 0 ? kit.abort(lease.snapshotId) : kit.begin({ sessionId, ifActive: "interrupt" }),
          kit.settle(lease, { status: "completed" }),
          kit.heartbeat([lease], 60_000),
        ]),
      );
      for (const { lease } of branches) {
        expect(["completed", "aborted"]).toContain((await kit.meta(lease.snapshotId))?.status);
      }
    },
  },
);

/** In either order, so that a store which does its work at once sees both. */
async function bothWays<A, B>(race: number, a: () => Promise<A>, b: () => Promise<B>): Promise<[A, B]> {
  if (race % 2 === 0) return await Promise.all([a(), b()]);
  const [second, first] = await Promise.all([b(), a()]);
  return [first, second];
}

async function sayUntilHeard(kit: StoreKit, sessionId: string, text: string): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    expect(attempt, `attempts of ${text}`).toBeLessThan(10_000);
    const result = await kit.begin({ sessionId });
    if (result.type !== "begun") continue;
    const content = fullContent(stateAfter(undefined, sessionId, text));
    const settled = await kit.settle(result.lease, { status: "completed", content });
    expect(settled.ok).toBe(true);
    return;
  }
}
