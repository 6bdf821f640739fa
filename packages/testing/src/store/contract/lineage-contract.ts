import type { StateChain } from "@agents/schema/port";
import { expect } from "vitest";
import { contractArea } from "../contract-test.ts";
import { loadState } from "../kit/load-state.ts";
import { figuresOf, patchContent, stateAfter } from "../kit/state-content.ts";
import { type CompletedTurn, present, type StoreKit } from "../kit/store-kit.ts";

/** How states come back: from rows of their own lineage, and no more of them than the caller lacks. */
export const lineageContract = contractArea(
  "lineage",
  {},
  {
    "gives the state to start from: replaying the rows gives exactly what was saved": async (kit) => {
      const turns = await conversation(kit, 4);
      const last = at(turns, 3);
      const { chain } = await kit.begun({ sessionId: last.turn.sessionId });
      expect(loadState(chain)).toEqual(last.content.value);
      for (const turn of turns) expect(await stateOf(kit, turn.id)).toEqual(turn.content.value);
    },

    "sends nothing when the caller holds the very state": async (kit) => {
      const last = at(await conversation(kit, 3), 2);
      const { chain } = await kit.begun({ sessionId: last.turn.sessionId, known: [last.id] });
      expect(chain).toEqual({ knownId: last.id, rows: [] });
      expect(await readChain(kit, last.id, [last.id])).toEqual({ knownId: last.id, rows: [] });
    },

    "does not send rows up to the newest state that the caller holds": async (kit) => {
      const turns = await conversation(kit, 5);
      const last = at(turns, 4);
      const known = [at(turns, 0).id, at(turns, 2).id];
      const states = new Map(turns.map(({ id, content }) => [id, content.value]));
      const chain = await readChain(kit, last.id, known);
      expect(chain.rows.map(({ snapshotId }) => snapshotId).filter((id) => !isAfter(turns, id, 2))).toEqual([]);
      expect(loadState(chain, states)).toEqual(last.content.value);
      const begun = await kit.begun({ sessionId: last.turn.sessionId, known });
      expect(loadState(begun.chain, states)).toEqual(last.content.value);
    },

    "ignores known ids that are not in the lineage": async (kit) => {
      const turns = await conversation(kit, 2);
      const other = await kit.complete({ branchOf: at(turns, 0).id, after: at(turns, 0), text: "elsewhere" });
      const foreign = await kit.complete({ sessionId: kit.newSession() });
      const chain = await readChain(kit, at(turns, 1).id, [other.id, foreign.id, "never was"]);
      expect(loadState(chain)).toEqual(at(turns, 1).content.value);
    },

    "reads a row's metadata without its state when only that is wanted": async (kit) => {
      const turn = at(await conversation(kit, 1), 0);
      const read = await kit.store.turns.read(kit.caller, { snapshotId: turn.id }, "meta");
      expect(read).toEqual({ turn: turn.turn });
    },

    "reads by session with the state of the turn found": async (kit) => {
      const turns = await conversation(kit, 3);
      const { sessionId } = at(turns, 0).turn;
      const among = ["completed"] as const;
      const read = await kit.store.turns.read(kit.caller, { sessionId, among }, { known: [] });
      expect(read?.turn.snapshotId).toBe(at(turns, 2).id);
      expect(loadState(present(read?.chain, "chain"))).toEqual(at(turns, 2).content.value);
    },

    "starts the children of a row without a state from its parent's": async (kit) => {
      const first = at(await conversation(kit, 1), 0);
      const { sessionId } = first.turn;
      const stateless = await kit.begun({ sessionId });
      await kit.settle(stateless.lease, { status: "completed" });
      const child = await kit.begun({ sessionId });
      expect(child.turn.parentId).toBe(stateless.lease.snapshotId);
      expect(loadState(child.chain)).toEqual(first.content.value);
      expect(child.chain.rows.map(({ snapshotId }) => snapshotId)).not.toContain(stateless.lease.snapshotId);
      expect(await stateOf(kit, stateless.lease.snapshotId)).toEqual(first.content.value);
    },

    "applies a patch against the nearest ancestor that has a state": async (kit) => {
      const first = at(await conversation(kit, 1), 0);
      const { sessionId } = first.turn;
      const stateless = await kit.begun({ sessionId });
      await kit.settle(stateless.lease, { status: "completed" });
      const third = await kit.complete({ sessionId, after: first, text: "third" });
      expect(await stateOf(kit, third.id)).toEqual(third.content.value);
    },

    "gives the state of a turn after a checkpoint in the middle of the lineage": async (kit) => {
      const sessionId = kit.newSession();
      const first = await kit.complete({ sessionId, text: "1" });
      const second = await kit.complete({ sessionId, after: first, text: "2", kind: "full" });
      const third = await kit.complete({ sessionId, after: second, text: "3" });
      for (const turn of [second, third]) expect(await stateOf(kit, turn.id)).toEqual(turn.content.value);
      const known = await readChain(kit, third.id, [first.id]);
      expect(loadState(known, new Map([[first.id, first.content.value]]))).toEqual(third.content.value);
    },

    "keeps forks apart: they share ancestors and never each other's rows": async (kit) => {
      const trunk = at(await conversation(kit, 2), 1);
      let left = trunk;
      let right = trunk;
      for (const text of ["a", "b", "c"]) {
        left = await kit.complete({ branchOf: left.id, after: left, text: `left ${text}` });
        right = await kit.complete({ branchOf: right.id, after: right, text: `right ${text}` });
      }
      for (const [turn, other] of [
        [left, "right"],
        [right, "left"],
      ] as const) {
        const chain = await readChain(kit, turn.id, []);
        expect(loadState(chain)).toEqual(turn.content.value);
        expect(JSON.stringify(loadState(chain))).not.toContain(other);
      }
      expect(await stateOf(kit, trunk.id)).toEqual(trunk.content.value);
    },

    "gives back the figures of each state as they were given": async (kit) => {
      for (const { id, content } of await conversation(kit, 3)) {
        expect((await kit.meta(id))?.state).toEqual(figuresOf(content));
      }
    },

    "an aborted or failed row can carry a state and be continued": async (kit) => {
      const first = at(await conversation(kit, 1), 0);
      const resumable = ["completed", "failed", "aborted"] as const;
      const content = patchContent(stateAfter(first.content.value, first.turn.sessionId, "half"), first.content);
      for (const status of ["failed", "aborted"] as const) {
        const { lease } = await kit.begun({ branchOf: first.id });
        await kit.settle(lease, { status, content, heads: resumable });
        const child = await kit.begun({ branchOf: lease.snapshotId, resumable });
        expect(loadState(child.chain)).toEqual(content.value);
      }
    },
  },
);

/** So many turns one after the other, the first a checkpoint, the others patches. */
async function conversation(kit: StoreKit, length: number): Promise<CompletedTurn[]> {
  const sessionId = kit.newSession();
  const turns: CompletedTurn[] = [];
  for (let index = 0; index < length; index++) {
    const after = turns.at(-1);
    turns.push(await kit.complete({ sessionId, text: `turn ${index}`, ...(after === undefined ? {} : { after }) }));
  }
  return turns;
}

function at(turns: readonly CompletedTurn[], index: number): CompletedTurn {
  return present(turns[index], `turn ${index}`);
}

function isAfter(turns: readonly CompletedTurn[], id: string, index: number): boolean {
  return turns.findIndex((turn) => turn.id === id) > index;
}

async function readChain(kit: StoreKit, snapshotId: string, known: readonly string[]): Promise<StateChain> {
  const read = await kit.store.turns.read(kit.caller, { snapshotId }, { known });
  return present(read?.chain, "chain");
}

async function stateOf(kit: StoreKit, snapshotId: string): Promise<unknown> {
  return loadState(await readChain(kit, snapshotId, []));
}
