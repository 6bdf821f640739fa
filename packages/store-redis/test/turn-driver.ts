import { randomUUID } from "node:crypto";
import { makeSnapshotId, sessionRoute } from "@agents/schema/hash";
import type { BeginRequest, BeginResult, Caller, Fenced, Lease, SettleRequest } from "@agents/schema/port";
import type { RedisStore } from "../src/index.ts";
import { type CompletedTurn, fullContent, patchContent, stateAfter } from "./turn-content.ts";

export const NOBODY: Caller = { scope: "" };
export const LEASE_MS = 60_000;
export type Begun = Extract<BeginResult, { type: "begun" }>;

const FAILED = { status: "failed", result: '"lost"', events: ['"lost"'] } as const;
const ABORTED = { status: "aborted", result: '"aborted"', events: ['"aborted"'] } as const;

export function newId(sessionId: string): string {
  return makeSnapshotId(sessionRoute(sessionId), randomUUID());
}

/** A send to a session, which is made if it is not there. */
export function sendRequest(sessionId: string, rest: Partial<BeginRequest> = {}): BeginRequest {
  return {
    snapshotId: newId(sessionId),
    agent: "agent",
    from: { sessionId, create: true, ifActive: "reject", ifForked: "newest" },
    resumable: ["completed"],
    writer: randomUUID(),
    input: '"input"',
    leaseMs: LEASE_MS,
    known: [],
    events: { firstSeq: 1, events: ['"started"'] },
    lost: { pending: FAILED, aborting: ABORTED, heads: ["completed"] },
    ...rest,
  };
}

export async function begun(store: RedisStore, request: BeginRequest): Promise<Begun> {
  const result = await store.turns.begin(NOBODY, request);
  if (result.type !== "begun") throw new Error(`begin answered ${result.type}`);
  return result;
}

export function completion(rest: Partial<SettleRequest["pending"]> = {}, firstSeq = 2): SettleRequest {
  return {
    pending: { status: "completed", result: '"done"', events: { firstSeq, events: ['"completed"'] }, ...rest },
    aborting: { status: "aborted", result: '"aborted"', events: { firstSeq, events: ['"aborted"'] } },
    heads: ["completed"],
  };
}

export function complete(store: RedisStore, lease: Lease, request = completion()): Promise<Fenced> {
  return store.turns.settle(NOBODY, lease, request);
}

/** Runs one turn to its end, with a state that goes on from the turn before. */
export async function turn(store: RedisStore, sessionId: string, after?: CompletedTurn): Promise<CompletedTurn> {
  const { lease } = await begun(store, sendRequest(sessionId));
  const state = stateAfter(after?.content.value, sessionId, `after ${after?.id ?? "nothing"}`);
  const content = after === undefined ? fullContent(state) : patchContent(state, after.content);
  const settled = await complete(store, lease, completion({ content }));
  if (!settled.ok) throw new Error("settle was refused");
  return { id: lease.snapshotId, content, turn: settled.turn };
}
