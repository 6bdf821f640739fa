import type { PatchOperation } from "@agents/schema/patch";
import type { BeginRequest, BeginResult, Caller, Fenced, Lease, Outcome, StateContent } from "@agents/schema/port";
import { type MemoryStore, type MemoryStoreOptions, storeOver, tablesFor } from "../src/create-memory-store.ts";
import type { Tables } from "../src/tables.ts";

export type Begun = Extract<BeginResult, { type: "begun" }>;
type Send = Extract<BeginRequest["from"], { create: boolean }>;
type Aborted = Outcome & { status: "aborted" };

export const LEASE_MS = 60_000;
export const NOBODY: Caller = { scope: "" };
export const START = { epoch: 0, seq: 0 };
/** What an abort writes to a turn without a worker. */
export const STOP = { outcome: { status: "aborted", result: "stopped", events: ["stopped"] }, heads: [] } as const;

const LOST: BeginRequest["lost"] = {
  pending: { status: "failed", result: "lost", events: ["lost"] },
  aborting: STOP.outcome,
  heads: [],
};

/** A store with a clock that the test moves, and short ways to do to it what a runtime does. */
export interface StoreDriver {
  readonly store: MemoryStore;
  /** What it keeps. */
  readonly tables: Tables;
  readonly clock: { time: number; now(): number };
  begin(
    id: string,
    options?: Partial<Send & BeginRequest> & { branchOf?: string; caller?: Caller },
  ): Promise<BeginResult>;
  begun(...args: Parameters<StoreDriver["begin"]>): Promise<Begun>;
  settle(lease: Lease, options?: Partial<Outcome> & { heads?: readonly Outcome["status"][] }): Promise<Fenced>;
  /** Begins and settles. */
  turn(...args: Parameters<StoreDriver["begin"]>): Promise<Begun>;
  /** Begins a turn whose lease has run out. */
  stale(...args: Parameters<StoreDriver["begin"]>): Promise<Begun>;
  status(id: string): Promise<string | undefined>;
}

export function driveStore(options: MemoryStoreOptions = {}): StoreDriver {
  const clock = { time: 1_000, now: () => clock.time };
  const tables = tablesFor({ clock, ...options });
  const store = storeOver(tables);
  let attempts = 0;
  const driver: StoreDriver = {
    store,
    tables,
    clock,
    begin: (id, { caller = NOBODY, branchOf, ...rest } = {}) =>
      store.turns.begin(caller, {
        snapshotId: id,
        agent: "agent",
        resumable: ["completed"],
        writer: `attempt ${++attempts}`,
        input: `input of ${id}`,
        leaseMs: LEASE_MS,
        known: [],
        events: { firstSeq: 1, events: [] },
        lost: LOST,
        ...rest,
        from: rest.from ?? fromOf(branchOf, rest),
      }),
    async begun(...args) {
      const result = await driver.begin(...args);
      if (result.type !== "begun") throw new Error(`begin ${args[0]} answered ${result.type}`);
      return result;
    },
    settle: (lease, { heads = ["completed"] as const, ...pending } = {}) =>
      store.turns.settle(NOBODY, lease, {
        pending: outcome({ content: content(`after ${lease.snapshotId}`), ...pending }),
        aborting: aborted(),
        heads,
      }),
    async turn(...args) {
      const begun = await driver.begun(...args);
      await driver.settle(begun.lease);
      return begun;
    },
    async stale(...args) {
      const begun = await driver.begun(...args);
      clock.time += LEASE_MS;
      return begun;
    },
    status: async (snapshotId) => (await store.turns.read(NOBODY, { snapshotId }, "meta"))?.turn.status,
  };
  return driver;
}

function fromOf(branchOf: string | undefined, send: Partial<Send>): BeginRequest["from"] {
  if (branchOf !== undefined) return { snapshotId: branchOf };
  const { sessionId = "s", create = true, ifActive = "reject", ifForked = "newest" } = send;
  return { sessionId, create, ifActive, ifForked };
}

export function outcome(given: Partial<Outcome> = {}): Outcome {
  return { status: "completed", result: "done", events: { firstSeq: 1, events: [] }, ...given };
}

export function aborted(): Aborted {
  return { status: "aborted", result: "stopped", events: { firstSeq: 1, events: [] } };
}

/** A state; `text` tells it from others. */
export function content(text: string, operations?: readonly PatchOperation[]): StateContent {
  return contentOf(Object.freeze({ text }), operations);
}

export function contentOf(value: { readonly text: string }, operations?: readonly PatchOperation[]): StateContent {
  const json = JSON.stringify(value);
  const figures = { stateBytes: json.length, loadBytes: json.length, loadRows: 1 };
  return {
    kind: "full",
    json,
    full: () => json,
    value,
    ...(operations && { operations }),
    stateHash: `hash of ${value.text}`,
    messagesDigest: `digest of ${value.text}`,
    ...figures,
  };
}
