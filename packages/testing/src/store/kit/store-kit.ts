import type { StoredStatus } from "@agents/schema/agent";
import { makeSnapshotId, sessionRoute, snapshotRoute } from "@agents/schema/hash";
import type {
  BeginRequest,
  BeginResult,
  Caller,
  ClaimRequest,
  ClaimResult,
  EventBatch,
  Fenced,
  IdSource,
  Lease,
  Outcome,
  Store,
  TurnMeta,
} from "@agents/schema/port";
import { expect } from "vitest";
import { fullContent, patchContent, stateAfter, type TestContent } from "./state-content.ts";
import { closingOutcome, LOST, NO_EVENTS, type OutcomeOptions, testOutcome } from "./test-outcome.ts";
import { lapse, type Time } from "./time.ts";

export type Begun = Extract<BeginResult, { type: "begun" }>;

export interface BeginOptions {
  readonly sessionId?: string;
  /** Branch from this snapshot instead of sending to the session. */
  readonly branchOf?: string;
  /** @default a new one, routed to the session */
  readonly snapshotId?: string;
  readonly agent?: string;
  readonly create?: boolean;
  readonly ifActive?: "reject" | "interrupt" | "fork";
  readonly ifForked?: "newest" | "reject";
  readonly resumable?: readonly StoredStatus[];
  readonly known?: readonly string[];
  readonly fingerprint?: string;
  readonly input?: string;
  /** @default an hour: it does not run out in a test */
  readonly leaseMs?: number;
  readonly events?: EventBatch;
  readonly lost?: BeginRequest["lost"];
  /** @default a new one: another attempt */
  readonly writer?: string;
}

export interface SettleOptions extends OutcomeOptions<Outcome["status"]> {
  /** What is written if the row is found aborting. @default aborted, without state */
  readonly aborting?: Outcome & { readonly status: "aborted" };
  readonly heads?: readonly StoredStatus[];
}

/** What is written if the turn is stale. */
export interface AbortOptions extends Partial<OutcomeOptions<"aborted">> {
  readonly heads?: readonly StoredStatus[];
}

export interface CompleteOptions extends BeginOptions {
  /** What this turn says; it is in the state. */
  readonly text?: string;
  /** The turn to continue from: its state is the base. Without it the state starts empty. */
  readonly after?: CompletedTurn;
  /** @default "patch" when there is a turn before it */
  readonly kind?: "full" | "patch";
  readonly waiting?: boolean;
  readonly heads?: readonly StoredStatus[];
}

export interface CompletedTurn {
  readonly id: string;
  readonly lease: Lease;
  readonly turn: TurnMeta;
  readonly content: TestContent;
}

/** A store under test, and short ways to do to it what a runtime does. */
export interface StoreKit {
  readonly store: Store;
  readonly caller: Caller;
  readonly ids: IdSource;
  readonly time: Time;
  /** Another instance over the same data, as another process would have. Absent when the medium dies with the store. */
  readonly reopen?: () => Promise<Store>;
  /** The same store for another caller. */
  as(caller: Caller): StoreKit;
  /** Another instance for the same caller. */
  over(store: Store): StoreKit;
  /** A part that the test has declared as needed. */
  part<Name extends "events" | "hints" | "index">(name: Name): NonNullable<Store[Name]>;
  newSession(): string;
  newSnapshotId(sessionId: string): string;
  begin(options: BeginOptions): Promise<BeginResult>;
  /** Begins, and fails the test unless the turn was begun. */
  begun(options: BeginOptions): Promise<Begun>;
  settle(lease: Lease, options: SettleOptions): Promise<Fenced>;
  /** Runs a turn to its end, and fails the test unless every step is taken. */
  complete(options: CompleteOptions): Promise<CompletedTurn>;
  abort(snapshotId: string, options?: AbortOptions): ReturnType<Store["turns"]["requestAbort"]>;
  /** By a writer of its own, for an hour, holding nothing, unless said otherwise. */
  claim(snapshotId: string, request?: Partial<ClaimRequest>): Promise<ClaimResult>;
  /** For an hour, unless said otherwise. */
  heartbeat(leases: readonly Lease[], leaseMs?: number): Promise<readonly Fenced[]>;
  meta(snapshotId: string): Promise<TurnMeta | undefined>;
  latest(sessionId: string, among: readonly StoredStatus[]): Promise<TurnMeta | undefined>;
  /** Waits until a lease of `time.lapsingMs` has run out. */
  lapsed(snapshotId: string): Promise<void>;
  /** Begins a turn and lets its lease run out. */
  stale(options: BeginOptions): Promise<Begun>;
  /** The same, for a turn that was asked to stop before. */
  staleAborting(options: BeginOptions): Promise<Begun>;
}

/** Longer than any test takes. */
export const LONG_LEASE_MS = 3_600_000;

export interface StoreKitOptions {
  readonly store: Store;
  readonly caller: Caller;
  readonly ids: IdSource;
  readonly time: Time;
  readonly reopen?: (() => Promise<Store>) | undefined;
}

export function createStoreKit(options: StoreKitOptions): StoreKit {
  const { store, caller, ids, time, reopen } = options;

  const kit: StoreKit = {
    store,
    caller,
    ids,
    time,
    ...(reopen === undefined ? {} : { reopen }),
    as: (other) => createStoreKit({ ...options, caller: other }),
    over: (other) => createStoreKit({ ...options, store: other }),
    part: (name) => present(store[name], `the store's part "${name}"`),
    newSession: () => `session-${ids.uuid()}`,
    newSnapshotId: (sessionId) => makeSnapshotId(sessionRoute(sessionId), ids.uuid()),
    begin: (begin) => store.turns.begin(caller, beginRequest(kit, begin)),
    async begun(begin) {
      const result = await kit.begin(begin);
      expect(result.type, "begin").toBe("begun");
      return result as Begun;
    },
    settle(lease, { heads = ["completed"], aborting = testOutcome({ status: "aborted" }), ...pending }) {
      return store.turns.settle(caller, lease, { pending: testOutcome(pending), aborting, heads });
    },
    complete: (complete) => completeTurn(kit, complete),
    abort: (snapshotId, { heads = ["completed"] as const, ...outcome } = {}) =>
      store.turns.requestAbort(caller, snapshotId, {
        outcome: closingOutcome({ status: "aborted", ...outcome }),
        heads,
      }),
    claim: (snapshotId, request) =>
      store.turns.claim(caller, snapshotId, { writer: ids.uuid(), leaseMs: LONG_LEASE_MS, known: [], ...request }),
    heartbeat: (leases, leaseMs = LONG_LEASE_MS) =>
      store.turns.heartbeat(
        leases.map((lease) => ({ caller, lease })),
        leaseMs,
      ),
    meta: async (snapshotId) => (await store.turns.read(caller, { snapshotId }, "meta"))?.turn,
    latest: async (sessionId, among) => (await store.turns.read(caller, { sessionId, among }, "meta"))?.turn,
    lapsed: (snapshotId) => lapse(time, async () => (await kit.meta(snapshotId))?.stale === true),
    async stale(begin) {
      const begun = await kit.begun({ ...begin, leaseMs: time.lapsingMs });
      await kit.lapsed(begun.lease.snapshotId);
      return begun;
    },
    async staleAborting(begin) {
      const begun = await kit.begun({ ...begin, leaseMs: time.lapsingMs });
      expect((await kit.abort(begun.lease.snapshotId))?.after.status).toBe("aborting");
      await kit.lapsed(begun.lease.snapshotId);
      return begun;
    },
  };
  return kit;
}

/** The value, or a failed test that says what was missing. */
export function present<T>(value: T, what: string): NonNullable<T> {
  if (value === undefined || value === null) expect.fail(`${what} is missing`);
  return value;
}

function beginRequest(kit: StoreKit, options: BeginOptions): BeginRequest {
  const { sessionId, branchOf, create = true, ifActive = "reject", ifForked = "newest", fingerprint } = options;
  const from =
    branchOf === undefined
      ? { sessionId: present(sessionId, "sessionId or branchOf"), create, ifActive, ifForked }
      : { snapshotId: branchOf, ...(sessionId === undefined ? {} : { sessionId }) };
  return {
    snapshotId: options.snapshotId ?? newIdFor(kit, options),
    agent: options.agent ?? "agent",
    from,
    resumable: options.resumable ?? ["completed"],
    writer: options.writer ?? kit.ids.uuid(),
    ...(fingerprint === undefined ? {} : { fingerprint }),
    input: options.input ?? "{}",
    leaseMs: options.leaseMs ?? LONG_LEASE_MS,
    known: options.known ?? [],
    events: options.events ?? NO_EVENTS,
    lost: options.lost ?? LOST,
  };
}

/** Ids route themselves: a branch has the route of what it branches from, a send that of its session. */
function newIdFor(kit: StoreKit, { sessionId = "", branchOf }: BeginOptions): string {
  const route = branchOf === undefined ? undefined : snapshotRoute(branchOf);
  return makeSnapshotId(route ?? sessionRoute(sessionId), kit.ids.uuid());
}

async function completeTurn(kit: StoreKit, options: CompleteOptions): Promise<CompletedTurn> {
  const { text = "hello", after, kind = after === undefined ? "full" : "patch", waiting, heads } = options;
  const begun = await kit.begun(options);
  const state = stateAfter(after?.content.value, begun.turn.sessionId, text);
  const parent = after?.content;
  const content = kind === "patch" && parent !== undefined ? patchContent(state, parent) : fullContent(state, parent);
  const settled = await kit.settle(begun.lease, {
    status: "completed",
    content,
    events: { firstSeq: begun.turn.lastSeq + 1, events: [] },
    ...(waiting === undefined ? {} : { waiting }),
    ...(heads === undefined ? {} : { heads }),
  });
  expect(settled.ok, "settle").toBe(true);
  return {
    id: begun.lease.snapshotId,
    lease: begun.lease,
    turn: present(settled.turn, "the settled row"),
    content,
  };
}
