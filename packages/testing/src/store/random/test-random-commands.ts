import type { Store } from "@agents/schema/port";
import fc from "fast-check";
import { expect } from "vitest";
import { createIdSource } from "../../clock/id-source.ts";
import { createManualClock } from "../../clock/manual-clock.ts";
import type { TestContent } from "../kit/state-content.ts";
import { createStoreKit, type StoreKit } from "../kit/store-kit.ts";
import { START } from "../kit/test-outcome.ts";
import { timeOf } from "../kit/time.ts";
import { openStore, type StoreSource } from "../open-store.ts";
import { createReferenceStore } from "../reference/reference-store.ts";
import { anyCommand, type Command, SESSIONS } from "./command.ts";
import { answerOf, comparable } from "./comparable.ts";
import { stepOf } from "./perform-command.ts";
import { sessionName, type World } from "./world.ts";

export interface RandomTestOptions<Kind extends Store> {
  readonly source: StoreSource<Kind>;
  /** Sequences of commands. */
  readonly runs: number;
  /** Repeats the sequences of another run. */
  readonly seed?: number;
}

/**
 * Does random commands to the store and to the reference; after each, the answers and what can be read agree. Rejects
 * with the shortest sequence found that tells them apart.
 */
export async function testRandomCommands<Kind extends Store>({
  source,
  runs,
  seed,
}: RandomTestOptions<Kind>): Promise<void> {
  const { kit, destroy } = await openStore(source);
  const can = {
    advance: source.advance !== undefined,
    events: kit.store.events !== undefined,
    index: kit.store.index !== undefined,
  };
  await destroy();
  const sequences = fc.array(anyCommand(can), { minLength: 1, maxLength: 40, size: "max" });
  const property = fc.asyncProperty(sequences, fc.boolean(), (commands, settled) => compare(source, commands, settled));
  const limit = { interruptAfterTimeLimit: 100_000, markInterruptAsFailure: true };
  await fc.assert(property, { numRuns: runs, ...limit, ...(seed === undefined ? {} : { seed }) });
}

async function compare<Kind extends Store>(
  source: StoreSource<Kind>,
  commands: readonly Command[],
  settled: boolean,
): Promise<void> {
  const { kit, destroy } = await openStore(source);
  try {
    const world = worldOf(kit, settled);
    for (const command of commands) {
      const step = await stepOf(world, command);
      if (step !== undefined) await compareStep(world, step);
      await compareStep(world, readSessions);
    }
    await compareStep(world, (each) => readTurns(each, world));
  } finally {
    await destroy();
  }
}

function worldOf(real: StoreKit, settled: boolean): World {
  const clock = createManualClock();
  const reference = createStoreKit({
    store: withPartsOf(real.store, createReferenceStore({ clock, keepsEvents: real.store.events !== undefined })),
    caller: real.caller,
    ids: createIdSource(1),
    time: timeOf((ms) => clock.advance(ms)),
  });
  return {
    reference,
    real,
    async advance(ms) {
      await clock.advance(ms);
      await real.time.advance?.(ms);
    },
    resumable: settled ? ["completed", "failed", "aborted"] : ["completed"],
    turns: [],
    leases: [],
    saved: new Map(),
    counter: 0,
  };
}

/** What the store lacks, the reference must not answer. */
function withPartsOf(real: Store, { name, turns, events, hints, index, health, close }: Required<Store>): Store {
  return {
    name,
    turns,
    ...(real.events === undefined ? {} : { events }),
    ...(real.hints === undefined ? {} : { hints }),
    ...(real.index === undefined ? {} : { index }),
    health,
    close,
  };
}

async function compareStep(world: World, step: (kit: StoreKit) => Promise<unknown>): Promise<void> {
  const expected = await answerOf(() => step(world.reference));
  const actual = await answerOf(() => step(world.real));
  const states = new Map([...world.saved].map(([id, content]) => [id, content.value]));
  expect(comparable(actual, states)).toEqual(comparable(expected, states));
  remember(world, expected);
}

/** Takes from an answer what a runtime would keep of it. */
function remember(world: World, answer: unknown): void {
  if (typeof answer !== "object" || answer === null) return;
  if ("lease" in answer) {
    const lease = answer.lease as World["leases"][number];
    const isRepeat = world.leases.some(
      ({ snapshotId, epoch }) => snapshotId === lease.snapshotId && epoch === lease.epoch,
    );
    if (!isRepeat) world.leases.push(lease);
    if (!isRepeat && lease.epoch === 1) world.turns.push({ snapshotId: lease.snapshotId, sessionId: lease.sessionId });
  }
  if (!("ok" in answer && answer.ok === true) || world.lastSettle === undefined) return;
  const { lease, request } = world.lastSettle;
  const { pending } = request;
  const turn = "turn" in answer ? (answer.turn as { snapshotId: string; result?: string }) : undefined;
  if (turn?.snapshotId === lease.snapshotId && turn.result === pending.result && pending.content !== undefined) {
    world.saved.set(lease.snapshotId, pending.content as TestContent);
  }
}

/** What tells most changes, for little: the sessions with their turns. */
async function readSessions(kit: StoreKit): Promise<unknown> {
  const sessions = Array.from({ length: SESSIONS }, (_, number) => sessionName(number));
  const { index, turns } = kit.store;
  const read = sessions.map(async (sessionId) => ({
    session: await index?.getSession(kit.caller, sessionId),
    turns: (await index?.listTurns(kit.caller, sessionId, { limit: 100 }))?.items,
    latest: await turns.read(kit.caller, { sessionId, among: ["completed", "pending"] }, { known: [] }),
  }));
  const listed = await index?.listSessions(kit.caller, { limit: 100 });
  return { sessions: await Promise.all(read), listed: listed?.items.map(({ sessionId }) => sessionId).toSorted() };
}

/** Everything. */
async function readTurns(kit: StoreKit, world: World): Promise<unknown> {
  const { turns, events } = kit.store;
  return await Promise.all(
    world.turns.map(async ({ snapshotId }) => ({
      read: await turns.read(kit.caller, { snapshotId }, { known: [] }),
      events: await events?.readEvents(kit.caller, snapshotId, { after: START, limit: 1_000 }),
    })),
  );
}
