import { AgentError } from "@agents/schema/error";
import type { AppendRequest, Caller, EventLog, Fenced, Lease, StoredEvent } from "@agents/schema/port";
import type { StoreContext } from "../context/store-context.ts";
import { refuseBadLimit } from "../record/page-limit.ts";
import { batchArgs, ownerArg } from "../record/script-args.ts";
import { type Reply, toList, toTurnMeta } from "../record/script-reply.ts";
import { toFenced } from "./to-fenced.ts";

export interface Append {
  readonly lease: Lease;
  readonly request: AppendRequest;
}

export async function appendEvents(store: StoreContext, caller: Caller, { lease, request }: Append): Promise<Fenced> {
  const { snapshotId, sessionId, epoch } = lease;
  const { batch, leaseMs, progress } = request;
  const address = store.keys.ofSnapshot(caller.scope, snapshotId);
  if (address === undefined) return { ok: false };
  const args = [
    ownerArg(caller),
    snapshotId,
    sessionId,
    String(epoch),
    String(leaseMs),
    progress === undefined ? "-" : (progress.kind[0] as string),
    progress?.json ?? "",
    ...batchArgs(batch),
  ];
  if (store.hasSteps) await store.step("append:before-send");
  const reply = await store.run("append", [address.key, address.index], args);
  if (store.hasSteps) await store.step("append:answered");
  return toFenced(reply);
}

export type EventPage = Parameters<EventLog["readEvents"]>[2] & { readonly snapshotId: string };

export async function readEvents(
  store: StoreContext,
  caller: Caller,
  { snapshotId, after, limit }: EventPage,
): ReturnType<EventLog["readEvents"]> {
  refuseBadLimit(limit);
  refuseBadPosition(after);
  const address = store.keys.ofSnapshot(caller.scope, snapshotId);
  if (address === undefined) return undefined;
  const args = [ownerArg(caller), snapshotId, String(after.epoch), String(after.seq), String(limit)];
  const [type, meta, start, marks, events] = await store.run("readEvents", [address.key, address.index], args);
  if (type === "unknown") return undefined;
  return { events: toEvents(start as number, marks, events), turn: toTurnMeta(meta) };
}

/** Marks are pairs of an epoch and the last sequence number that was stored under it. */
export function toEvents(start: number, marks: Reply | undefined, events: Reply | undefined): StoredEvent[] {
  const pairs = toList(marks) as readonly number[];
  let mark = 0;
  return toList(events).map((json, index): StoredEvent => {
    const seq = start + index + 1;
    while ((pairs[mark + 1] ?? Number.POSITIVE_INFINITY) < seq) mark += 2;
    if (typeof json !== "string") throw missing(seq);
    return { seq, epoch: pairs[mark] ?? 1, json };
  });
}

function missing(seq: number): AgentError {
  return new AgentError("DATA_LOSS", `Event ${seq} of a turn is missing in Redis, and later ones are there.`);
}

function refuseBadPosition({ epoch, seq }: EventPage["after"]): void {
  if (Number.isInteger(seq) && seq >= 0 && Number.isInteger(epoch) && epoch >= 0) return;
  throw new AgentError(
    "INVALID_ARGUMENT",
    `Events are read after epoch ${epoch}, seq ${seq}; both are whole numbers, 0 and 0 for all.`,
    { details: { epoch: String(epoch), seq: String(seq) } },
  );
}
