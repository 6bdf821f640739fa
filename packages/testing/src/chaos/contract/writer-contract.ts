import { expect } from "vitest";
import { loadState } from "../../store/kit/load-state.ts";
import type { TestState } from "../../store/kit/state-content.ts";
import { present, type StoreKit } from "../../store/kit/store-kit.ts";
import type { StoreProcess } from "../store-process.ts";
import type { ProcessTest, ProcessWorld } from "./process-world.ts";

const PROCESSES = 8;
const WRITERS = 50;

export const writerTests: readonly ProcessTest[] = [
  {
    name: `makes one linear history of ${WRITERS} writers in ${PROCESSES} processes, and loses no update`,
    timeoutMs: 60_000,
    needs: [],
    async run(world) {
      const processes = await takeMany(world);
      const { caller, newSession } = world.kit(present(processes[0], "a process"));
      const sessionId = newSession();
      const texts = Array.from({ length: WRITERS }, (_, index) => `writer ${index}`);
      const reports = await Promise.all(
        processes.map((process, place) =>
          process.write({ caller, sessionId, texts: texts.filter((_, index) => index % PROCESSES === place) }),
        ),
      );
      const told = reports.flatMap(({ turns }) => turns).toSorted((a, b) => a.ordinal - b.ordinal);
      expect(told.map(({ ordinal }) => ordinal)).toEqual(Array.from({ length: WRITERS }, (_, index) => index + 1));
      const kit = await world.fresh();
      expect(await historyOf(kit, sessionId), "the history, by its parents").toEqual(
        told.map(({ snapshotId }) => snapshotId),
      );
      expect(await textsOf(kit, sessionId), "what the last state has").toEqual(told.map(({ text }) => text));
      // Were there two branches, this would be refused.
      expect((await kit.begin({ sessionId, ifForked: "reject" })).type).toBe("begun");
      giveAll(world, processes);
    },
  },
  {
    name: `gives one row to begins of the same turn by ${PROCESSES} processes`,
    timeoutMs: 30_000,
    needs: [],
    async run(world) {
      const processes = await takeMany(world);
      const kits = processes.map((process) => world.kit(process));
      const kit = present(kits[0], "a process");
      for (let race = 0; race < 10; race++) {
        const sessionId = kit.newSession();
        const begin = { sessionId, snapshotId: kit.newSnapshotId(sessionId), fingerprint: "same" };
        const answers = await Promise.all(kits.map((each) => each.begin(begin)));
        const types = answers.map(({ type }) => type).toSorted();
        expect(types).toEqual(["begun", ...Array.from({ length: PROCESSES - 1 }, () => "existing")]);
      }
      giveAll(world, processes);
    },
  },
  {
    name: `lets exactly one of ${PROCESSES} processes close a stale turn, and one claim it`,
    timeoutMs: 30_000,
    needs: [],
    async run(world) {
      const processes = await takeMany(world);
      const kits = processes.map((process) => world.kit(process));
      const kit = present(kits[0], "a process");
      const sessionId = kit.newSession();
      const lost = await kit.stale({ sessionId });
      const begins = await Promise.all(kits.map((each) => each.begin({ sessionId })));
      const closed = begins.flatMap((answer) => (answer.type === "begun" ? [answer.closed] : []));
      expect(closed).toEqual([lost.lease.snapshotId]);
      const other = await kit.stale({ sessionId: kit.newSession() });
      const claims = await Promise.all(kits.map((each) => each.claim(other.lease.snapshotId)));
      const claimed = claims.filter(({ type }) => type === "claimed");
      expect(claimed).toHaveLength(1);
      expect(await kit.meta(other.lease.snapshotId)).toMatchObject({ epoch: 2, status: "pending" });
      giveAll(world, processes);
    },
  },
];

async function takeMany(world: ProcessWorld): Promise<StoreProcess[]> {
  return await Promise.all(Array.from({ length: PROCESSES }, () => world.take()));
}

function giveAll(world: ProcessWorld, processes: readonly StoreProcess[]): void {
  for (const process of processes) world.give(process);
}

/** From the first turn to the newest, by the names of parents. */
async function historyOf(kit: StoreKit, sessionId: string): Promise<string[]> {
  const ids: string[] = [];
  let at = (await kit.latest(sessionId, ["completed"]))?.snapshotId;
  while (at !== undefined) {
    ids.unshift(at);
    at = present(await kit.meta(at), "an ancestor").parentId;
  }
  return ids;
}

async function textsOf(kit: StoreKit, sessionId: string): Promise<(string | undefined)[]> {
  const read = await kit.store.turns.read(kit.caller, { sessionId, among: ["completed"] }, { known: [] });
  const { messages } = loadState(present(read?.chain, "chain")) as TestState;
  return messages.map((message) => (message as { content: { text?: string }[] }).content[0]?.text);
}
