import type { Store } from "@agents/schema/port";
import type { SessionDocument } from "@agents/schema/wire";
import { createMemoryStore } from "@agents/store-memory";
import { createIdSource, createManualClock } from "@agents/testing";
import fc from "fast-check";
import { expect, it } from "vitest";
import { type Doing, doing, talkativeAgent } from "../../test/talkative-agent.ts";
import { copySession, createAgents, exportSession, importSession, NO_TELEMETRY, pruneSessions } from "../index.ts";

const json = fc.json({ maxDepth: 2 }).map((text) => JSON.parse(JSON.stringify(JSON.parse(text))) as unknown);
const what = fc.record(
  {
    say: fc.array(fc.string({ unit: "grapheme" }), { maxLength: 3 }),
    keep: fc.nat({ max: 3 }),
    custom: json,
    artifact: fc.constantFrom("a", "b"),
    fail: fc.constant(true),
    asks: fc.boolean(),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<Doing>;
/** A turn, from the head or from one of the turns before it. */
const step = fc.record({ what, from: fc.option(fc.nat(), { nil: undefined }) });
const prune = fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined });

const SESSION = "a session";

/** Whether a state is whole or a patch is a store's own business; its hash was checked on the way. */
function withHashes({ turns, ...document }: SessionDocument): unknown {
  return { ...document, turns: turns.map((turn) => ({ ...turn, state: turn.state?.hash })) };
}

it("copies any tree of turns whole: rows, branches, events, and states that verify", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), prune, async (steps, keepLast) => {
      const clock = createManualClock();
      const [from, to] = [createMemoryStore({ clock }), createMemoryStore({ clock })];
      const agentOver = (store: Store, seed: number) =>
        talkativeAgent(createAgents({ store, clock, ids: createIdSource(seed), telemetry: NO_TELEMETRY }));
      const agent = agentOver(from, 1);
      const resumable: string[] = [];
      for (const { what: doingWhat, from: place } of steps) {
        const at = place === undefined ? undefined : resumable[place % resumable.length];
        const init = at === undefined ? { sessionId: SESSION } : { snapshotId: at };
        const { snapshotId, finishReason } = await agent.run(doing(doingWhat), init);
        if (finishReason !== "failed" && snapshotId !== undefined) resumable.push(snapshotId);
      }
      if (keepLast !== undefined) await pruneSessions(from, { keepLast, clock: { ...clock, setTimer: soon } });

      const original = await exportSession(from, { sessionId: SESSION });
      const report = await copySession(from, to, { sessionId: SESSION });
      expect(report.turns).toBe(original.turns.length);
      const copy = await exportSession(to, { sessionId: SESSION });
      expect(withHashes(copy)).toEqual(withHashes(original));
      expect(JSON.parse(JSON.stringify(original)), "it is JSON").toEqual(original);

      const reader = agentOver(to, 2);
      for (const { snapshotId } of original.turns) {
        await reader.verifySnapshot(snapshotId);
        const [here, there] = [await agent.getSnapshot(snapshotId), await reader.getSnapshot(snapshotId)];
        // Where the row was dropped that a row without a state stands for, the copy of that row has the state itself.
        const { stateHash = there.stateHash } = here;
        expect(there).toEqual(stateHash === undefined ? here : { ...here, stateHash });
      }
      const next = doing({ say: ["goes on"] });
      const [one, other] = [
        await agent.run(next, { sessionId: SESSION }),
        await reader.run(next, { sessionId: SESSION }),
      ];
      expect([other.message, other.finishReason]).toEqual([one.message, one.finishReason]);
      const scoped = { caller: { scope: "elsewhere", owner: "somebody" } };
      await importSession(to, JSON.parse(JSON.stringify(copy)), scoped);
      const theirs = await exportSession(to, { sessionId: SESSION, ...scoped });
      expect(withHashes(theirs)).toEqual({
        ...(withHashes(copy) as object),
        session: { ...copy.session, owner: "somebody" },
      });
    }),
    { numRuns: 60 },
  );
}, 60_000);

function soon(_: number, callback: () => void): () => void {
  queueMicrotask(callback);
  return () => {};
}
