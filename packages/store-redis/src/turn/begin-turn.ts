import { AgentError } from "@agents/schema/error";
import { snapshotRoute } from "@agents/schema/hash";
import type { BeginRequest, BeginResult, Caller } from "@agents/schema/port";
import type { StoreContext } from "../context/store-context.ts";
import { sweepBucket } from "../context/sweep-index.ts";
import type { Address } from "../record/key-space.ts";
import { knownArg, optional, ownerArg, packedClosing } from "../record/script-args.ts";
import { type Reply, toChain, toTurnMeta } from "../record/script-reply.ts";
import { toLetters } from "../record/status-letter.ts";

export async function beginTurn(store: StoreContext, caller: Caller, request: BeginRequest): Promise<BeginResult> {
  refuseMisnumbered(request);
  const place = placeOf(store, caller, request);
  if (place === undefined) return { type: "notFound" };
  const args = beginArgs(caller, request, place.tag);
  if (store.hasSteps) await store.step("begin:before-send");
  const reply = await store.run("begin", [place.address.key, place.address.index], args);
  if (store.hasSteps) await store.step("begin:answered");
  const result = toResult(reply);
  if (store.ttlMs > 0 && result.type === "begun" && result.turn.ordinal === 1)
    sweepBeside(store, caller, place.address);
  return result;
}

/** A new session makes up for its entry in the index by taking some that expired. Nobody waits for it. */
function sweepBeside(store: StoreContext, { scope }: Caller, { index }: Address): void {
  sweepBucket(store, scope, index).catch(() => {
    // The next new session looks again.
  });
}

interface Place {
  readonly address: Address;
  /** For a session that may have to be made. */
  readonly tag: string;
}

/** Undefined where the snapshot to continue from cannot exist. */
function placeOf(store: StoreContext, { scope }: Caller, request: BeginRequest): Place | undefined {
  const { from, snapshotId } = request;
  if ("snapshotId" in from) {
    const address = store.keys.ofSnapshot(scope, from.snapshotId);
    if (address === undefined) return undefined;
    refuseMisrouted(snapshotId, snapshotRoute(from.snapshotId) as string, `snapshot ${from.snapshotId}`);
    return { address, tag: "" };
  }
  const address = store.keys.ofSession(scope, from.sessionId);
  refuseMisrouted(snapshotId, address.route, `session ${JSON.stringify(from.sessionId.slice(0, 80))}`);
  return { address, tag: address.tag };
}

/** In the order in which the script takes them. */
function beginArgs(caller: Caller, request: BeginRequest, tag: string): string[] {
  const { from, events, lost } = request;
  const isSend = "create" in from;
  return [
    ownerArg(caller),
    isSend ? "s" : "b",
    request.snapshotId,
    optional(from.sessionId),
    isSend ? "" : from.snapshotId,
    tag,
    request.agent,
    isSend && from.create ? "1" : "0",
    isSend ? (from.ifActive[0] as string) : "",
    isSend ? (from.ifForked[0] as string) : "",
    toLetters(request.resumable),
    request.writer,
    optional(request.fingerprint),
    String(request.leaseMs),
    knownArg(request.known),
    request.input,
    toLetters(lost.heads),
    packedClosing(lost.pending),
    packedClosing(lost.aborting),
    String(events.events.length),
    ...events.events,
  ];
}

function toResult(reply: readonly Reply[]): BeginResult {
  const type = reply[0] as BeginResult["type"];
  switch (type) {
    case "begun":
      return toBegun(reply);
    case "existing":
    case "conflict":
    case "busy":
    case "notResumable":
      return { type, turn: toTurnMeta(reply[1]) };
    case "notFound":
    case "archived":
    case "otherSession":
    case "forked":
      return { type };
  }
}

function toBegun([, meta, parent, replaced, held, rows]: readonly Reply[]): BeginResult {
  const turn = toTurnMeta(meta);
  const { snapshotId, sessionId, epoch } = turn;
  const other = typeof replaced === "string" ? replaced.slice(1) : undefined;
  return {
    type: "begun",
    lease: { snapshotId, sessionId, epoch },
    turn,
    chain: toChain(held, rows),
    ...(parent === null ? undefined : { parent: toTurnMeta(parent) }),
    ...(other === undefined
      ? undefined
      : (replaced as string).startsWith("c")
        ? { closed: other }
        : { interrupted: other }),
  };
}

function refuseMisnumbered({ snapshotId, events }: BeginRequest): void {
  if (events.events.length === 0 || events.firstSeq === 1) return;
  throw new AgentError(
    "INVALID_ARGUMENT",
    `Snapshot ${snapshotId} begins with event ${events.firstSeq}; the first event of a turn is 1.`,
    { details: { snapshotId, firstSeq: events.firstSeq } },
  );
}

/** By its id alone the row is found again, so the id has to lead to its session. */
function refuseMisrouted(snapshotId: string, route: string, place: string): void {
  if (snapshotRoute(snapshotId) === route) return;
  throw new AgentError(
    "INVALID_ARGUMENT",
    `Snapshot ${JSON.stringify(snapshotId.slice(0, 160))} cannot belong to ${place}: make its id with makeSnapshotId and the route ${route}.`,
    { details: { snapshotId: snapshotId.slice(0, 160), route } },
  );
}
