import { makeSnapshotId, sessionRoute, snapshotRoute } from "@agents/schema/hash";
import type { StateContent } from "@agents/schema/port";
import { fullContent, patchContent, stateAfter, type TestContent } from "../kit/state-content.ts";
import type { BeginOptions, StoreKit } from "../kit/store-kit.ts";
import { LOST, testOutcome } from "../kit/test-outcome.ts";
import { type Command, SESSIONS } from "./command.ts";
import { pickFrom, sessionName, uniqueText, type World } from "./world.ts";

/** What is done to each of the two stores. Undefined when there is nothing that the command could be done to. */
export type Step = (kit: StoreKit) => Promise<unknown>;

type Make<Type extends Command["type"]> = (
  world: World,
  command: Extract<Command, { type: Type }>,
) => Step | undefined | Promise<Step | undefined>;

const LEASE_MS = 60_000;

/** Decides once, from what the reference has, what the command does; then it is done to both stores alike. */
export async function stepOf(world: World, command: Command): Promise<Step | undefined> {
  const make = MAKE[command.type] as Make<Command["type"]>;
  return await make(world, command);
}

const MAKE: { readonly [Type in Command["type"]]: Make<Type> } = {
  send: (world, { session, ifActive, ifForked, create, events }) =>
    begin(world, { sessionId: sessionName(session), ifActive, ifForked, create, events: firstEvents(world, events) }),
  branch(world, { turn, claimedSession }) {
    const from = pickFrom(world.turns, turn);
    if (from === undefined) return undefined;
    const sessionId = claimedSession === "own" ? from.sessionId : sessionName(SESSIONS);
    return begin(world, { branchOf: from.snapshotId, ...(claimedSession === "none" ? {} : { sessionId }) });
  },
  async beginAgain(world, { turn, fingerprint }) {
    const { snapshotId, sessionId } = pickFrom(world.turns, turn) ?? {};
    if (snapshotId === undefined || sessionId === undefined) return undefined;
    if ((await world.reference.meta(snapshotId)) === undefined) return undefined;
    return (kit) => kit.begin({ sessionId, snapshotId, fingerprint });
  },
  async repeatBegin({ lastBegin, reference }) {
    const turn = lastBegin && (await reference.meta(lastBegin.snapshotId));
    // What a writer is told that lost its turn meanwhile is left to the store.
    if (lastBegin === undefined || turn?.status !== "pending" || turn.epoch !== 1) return undefined;
    return (kit) => kit.begin(lastBegin);
  },
  async repeatClaim({ lastClaim, reference }) {
    const turn = lastClaim && (await reference.meta(lastClaim.snapshotId));
    if (lastClaim === undefined || turn?.status !== "pending") return undefined;
    return (kit) => kit.claim(lastClaim.snapshotId, { writer: lastClaim.writer, leaseMs: LEASE_MS });
  },
  async settle(world, { lease: number, epochOff, status, content: kind, events, declined }) {
    const lease = pickFrom(world.leases, number);
    if (lease === undefined) return undefined;
    const content = kind === "none" ? undefined : await nextContent(world, lease.snapshotId, kind);
    const batch = await nextEvents(world, lease.snapshotId, events);
    const request = {
      pending: testOutcome({ status, content, events: batch, result: uniqueText(world) }),
      aborting: testOutcome({ status: "aborted", events: batch, result: uniqueText(world) }),
      heads: declined ? [] : world.resumable,
    };
    const write = { lease: { ...lease, epoch: lease.epoch + epochOff }, request };
    world.lastSettle = write;
    return (kit) => kit.store.turns.settle(kit.caller, write.lease, request);
  },
  settleAgain({ lastSettle }) {
    if (lastSettle === undefined) return undefined;
    return (kit) => kit.store.turns.settle(kit.caller, lastSettle.lease, lastSettle.request);
  },
  abort(world, { turn }) {
    const snapshotId = pickFrom(world.turns, turn)?.snapshotId;
    const result = uniqueText(world);
    return snapshotId === undefined
      ? undefined
      : (kit) => kit.abort(snapshotId, { result, events: { firstSeq: 1, events: [result] }, heads: world.resumable });
  },
  heartbeat(world, { leases, epochOff }) {
    const given = leases.flatMap((number) => pickFrom(world.leases, number) ?? []);
    const named = given.map((lease) => ({ ...lease, epoch: lease.epoch + epochOff }));
    return (kit) => kit.heartbeat(named, LEASE_MS);
  },
  async append(world, { lease: number, epochOff, events, gap, progress }) {
    const given = pickFrom(world.leases, number);
    if (given === undefined) return undefined;
    const batch = await nextEvents(world, given.snapshotId, events);
    const lease = { ...given, epoch: given.epoch + epochOff };
    const content = progress ? await nextContent(world, given.snapshotId, "full") : undefined;
    const request = {
      batch: { ...batch, firstSeq: batch.firstSeq + (gap ? 1 : 0) },
      leaseMs: LEASE_MS,
      ...(content === undefined ? {} : { progress: content as StateContent }),
    };
    world.lastAppend = { lease, request };
    return (kit) => kit.part("events").append(kit.caller, lease, request);
  },
  async appendAgain({ lastAppend, reference }) {
    if (lastAppend === undefined) return undefined;
    const { lease, request } = lastAppend;
    const turn = await reference.meta(lease.snapshotId);
    // A writer repeats its last batch, while its turn is live; of older ones it has had the answer.
    const isLast = turn?.lastSeq === request.batch.firstSeq + request.batch.events.length - 1;
    if (!isLast || turn.heartbeatAt === undefined) return undefined;
    return (kit) => kit.part("events").append(kit.caller, lease, request);
  },
  claim(world, { turn }) {
    const snapshotId = pickFrom(world.turns, turn)?.snapshotId;
    if (snapshotId === undefined) return undefined;
    const writer = uniqueText(world);
    world.lastClaim = { snapshotId, writer };
    return (kit) => kit.claim(snapshotId, { writer, leaseMs: LEASE_MS });
  },
  async advance(world, { ms }) {
    await world.advance(ms);
    // Whether a repeat renews the lease again is left to the store, so none comes later than at once.
    delete world.lastAppend;
    delete world.lastBegin;
    delete world.lastClaim;
    return undefined;
  },
  create(_, { session, fingerprint }) {
    const request = { sessionId: sessionName(session), agent: "agent", metadata: fingerprint, fingerprint };
    return (kit) => kit.part("index").createSession(kit.caller, request);
  },
  update(world, { session, state, rename }) {
    const change = { ...(state === "same" ? {} : { state }), ...(rename ? { metadata: uniqueText(world) } : {}) };
    return (kit) => kit.part("index").updateSession(kit.caller, sessionName(session), change);
  },
  delete:
    (_, { session }) =>
    (kit) =>
      kit.part("index").deleteSession(kit.caller, sessionName(session)),
  read(world, { turn, known }) {
    const snapshotId = pickFrom(world.turns, turn)?.snapshotId;
    if (snapshotId === undefined) return undefined;
    const held = known.flatMap((number) => pickFrom([...world.saved.keys()], number) ?? []);
    return (kit) => kit.store.turns.read(kit.caller, { snapshotId }, { known: held });
  },
};

function begin(world: World, options: BeginOptions): Step {
  const route =
    options.branchOf === undefined ? sessionRoute(options.sessionId ?? "") : snapshotRoute(options.branchOf);
  const snapshotId = makeSnapshotId(route ?? "", world.reference.ids.uuid());
  const request = {
    snapshotId,
    writer: `writer of ${snapshotId}`,
    fingerprint: "same",
    resumable: world.resumable,
    leaseMs: LEASE_MS,
    lost: { ...LOST, heads: world.resumable },
    ...options,
  };
  world.lastBegin = request;
  return (kit) => kit.begin(request);
}

function firstEvents(world: World, count: number) {
  return { firstSeq: 1, events: Array.from({ length: count }, () => uniqueText(world)) };
}

async function nextEvents(world: World, snapshotId: string, count: number) {
  const turn = await world.reference.meta(snapshotId);
  return { ...firstEvents(world, count), firstSeq: (turn?.lastSeq ?? 0) + 1 };
}

/** What the turn would save: a message more than what it started from. */
async function nextContent(world: World, snapshotId: string, kind: "full" | "patch"): Promise<TestContent> {
  const turn = await world.reference.meta(snapshotId);
  const base = turn?.parentId === undefined ? undefined : await contentOf(world, turn.parentId);
  const state = stateAfter(base?.value, turn?.sessionId ?? "gone", uniqueText(world));
  return kind === "patch" && base !== undefined ? patchContent(state, base) : fullContent(state, base);
}

async function contentOf({ reference, saved }: World, snapshotId: string): Promise<TestContent | undefined> {
  const read = await reference.store.turns.read(reference.caller, { snapshotId }, { known: [] });
  const last = read?.chain?.rows.at(-1);
  return last === undefined ? undefined : saved.get(last.snapshotId);
}
