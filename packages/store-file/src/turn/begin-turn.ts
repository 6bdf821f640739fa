import { AgentError } from "@agents/schema/error";
import { sessionRoute, snapshotRoute } from "@agents/schema/hash";
import type { BeginRequest, BeginResult, Caller, StoreTime } from "@agents/schema/port";
import type { Journal } from "../journal/journal.ts";
import type { Decision } from "../journal/journals.ts";
import { USUAL_LEASE_MS } from "../record/record.ts";
import { ColumnDraft, type RecordDraft } from "../record/record-draft.ts";
import { findTurn, maySee } from "../session/find-row.ts";
import { toTurnMeta } from "../session/meta.ts";
import { chainOf } from "../session/state-chain.ts";
import { isLive, isStale, parentOf, type SessionRow, type Tables, type TurnRow } from "../session/tables.ts";
import { toStaleField } from "./end-field.ts";
import { loadChain, type StoreFiles } from "./store-files.ts";

type Begun = Extract<BeginResult, { type: "begun" }>;
type Refusal = Exclude<BeginResult, Begun>;
type Send = Extract<BeginRequest["from"], { create: boolean }>;

export function beginTurn(files: StoreFiles, caller: Caller, request: BeginRequest): Promise<BeginResult> {
  const { from, snapshotId } = request;
  refuseMisnumbered(request);
  const route = "create" in from ? sessionRoute(from.sessionId) : snapshotRoute(from.snapshotId);
  if (route === undefined) return Promise.resolve({ type: "notFound" });
  refuseMisrouted(snapshotId, route);
  return files.journals.change<BeginResult>({
    place: { scope: caller.scope, route },
    operation: "begin",
    create: "create" in from && from.create,
    missing: () => ({ type: "notFound" }),
    decide: (journal, now) => decideBegin(journal, { caller, request, now }),
  });
}

interface Asked {
  readonly caller: Caller;
  readonly request: BeginRequest;
  readonly now: StoreTime;
}

/** Where the turn goes. */
interface Place {
  readonly type: "place";
  readonly sessionId: string;
  /** Undefined when it has yet to be made. */
  readonly session: SessionRow | undefined;
  /** The snapshot that a branch continues. */
  readonly branchOf?: TurnRow;
  readonly send?: Send;
}

function refuseMisnumbered({ snapshotId, events }: BeginRequest): void {
  if (events.events.length === 0 || events.firstSeq === 1) return;
  throw new AgentError(
    "INVALID_ARGUMENT",
    `Snapshot ${snapshotId} begins with event ${events.firstSeq}; the first event of a turn is 1.`,
    { details: { snapshotId, firstSeq: events.firstSeq } },
  );
}

/** A snapshot is found by its id alone, so it has to be where its id says. */
function refuseMisrouted(snapshotId: string, route: string): void {
  if (snapshotRoute(snapshotId) === route) return;
  throw new AgentError(
    "INVALID_ARGUMENT",
    `Snapshot ${JSON.stringify(snapshotId.slice(0, 160))} cannot begin in a session whose route is ${route}; make its id with makeSnapshotId(sessionRoute(sessionId), unique).`,
    { details: { route } },
  );
}

/** In the order of the port: the first that applies is the answer. */
function decideBegin(journal: Journal, asked: Asked): Decision<BeginResult> {
  const { tables } = journal;
  const repeated = answerRepeated(journal, asked);
  if (repeated !== undefined) return { answer: repeated };
  const place = findPlace(tables, asked);
  if (place.type !== "place") return { answer: place };
  const refusal = refusePlace(place, asked);
  if (refusal !== undefined) return { answer: refusal };
  const active = place.send && place.session?.active;
  if (active !== undefined && place.send?.ifActive === "reject" && !isStale(active, asked.now)) {
    return { answer: { type: "busy", turn: toTurnMeta(active, asked.now) } };
  }
  const { snapshotId } = asked.request;
  return {
    write: draftBegin(tables, place, asked),
    answered: () => {
      const turn = tables.turns.get(snapshotId);
      if (turn === undefined) throw new AgentError("INTERNAL", `Snapshot ${snapshotId} was begun and is not there.`);
      return answerBegun(journal, turn, asked);
    },
  };
}

function answerRepeated(journal: Journal, asked: Asked): BeginResult | undefined {
  const { caller, request, now } = asked;
  const existing = journal.tables.turns.get(request.snapshotId);
  if (existing === undefined) return undefined;
  if (!maySee(caller, existing.session)) return { type: "notFound" };
  // As its begin left it: nobody ended it or took it over, so the lease is still the writer's.
  if (isLive(existing) && existing.epoch === 1 && existing.live.writer === request.writer) {
    return answerBegun(journal, existing, asked);
  }
  const type = existing.fingerprint === request.fingerprint ? "existing" : "conflict";
  return { type, turn: toTurnMeta(existing, now) };
}

function answerBegun(journal: Journal, turn: TurnRow, { request, now }: Asked): Begun {
  const parent = parentOf(turn);
  return {
    type: "begun",
    lease: { snapshotId: turn.snapshotId, sessionId: turn.session.sessionId, epoch: turn.epoch },
    turn: toTurnMeta(turn, now),
    chain: loadChain(journal, chainOf(parent, request.known)),
    ...(parent && { parent: toTurnMeta(parent, now) }),
    ...turn.live?.opening,
  };
}

function findPlace(tables: Tables, { caller, request }: Asked): Place | Refusal {
  const { from } = request;
  if ("snapshotId" in from) {
    const branchOf = findTurn(tables, caller, from.snapshotId);
    if (branchOf === undefined) return { type: "notFound" };
    const { session } = branchOf;
    if (from.sessionId !== undefined && from.sessionId !== session.sessionId) return { type: "otherSession" };
    return { type: "place", sessionId: session.sessionId, session, branchOf };
  }
  const { sessionId, create } = from;
  const session = tables.sessions.get(sessionId);
  if (session === undefined && !create) return { type: "notFound" };
  // An id that another owner took: the session neither exists for this caller nor can it be made.
  if (session !== undefined && !maySee(caller, session)) return { type: "notFound" };
  return { type: "place", sessionId, session, send: from };
}

/** By what is stored, before anything is changed. */
function refusePlace({ session, branchOf, send }: Place, { request, now }: Asked): Refusal | undefined {
  if (session?.state === "archived") return { type: "archived" };
  if (branchOf !== undefined && !request.resumable.includes(branchOf.status)) {
    return { type: "notResumable", turn: toTurnMeta(branchOf, now) };
  }
  return send?.ifForked === "reject" && session?.forked === true ? { type: "forked" } : undefined;
}

function draftBegin(tables: Tables, place: Place, { caller, request, now }: Asked): RecordDraft {
  const { session, branchOf, send } = place;
  const columns = new ColumnDraft();
  const active = send && session?.active;
  const stale = active !== undefined && isStale(active, now) ? active : undefined;
  const { lost } = request;
  const outcome = stale?.status === "aborting" ? lost.aborting : lost.pending;
  const close = stale && toStaleField(stale, { outcome, heads: lost.heads }, columns);
  const events = columns.events(request.events.events);
  const { snapshotId, writer, agent, fingerprint, leaseMs } = request;
  const number = session?.number ?? tables.nextSession;
  const record = {
    t: "begin",
    at: now,
    ...(number !== 0 && { s: number }),
    ...(session === undefined && { session: newSession(place, caller, request) }),
    id: snapshotId.slice(tables.prefix.length),
    ...(session !== undefined && session.agent !== agent && { agent }),
    ...(branchOf && { branch: branchOf.ordinal }),
    ...(writer !== snapshotId && { writer }),
    ...(fingerprint !== undefined && { fingerprint }),
    ...(leaseMs !== USUAL_LEASE_MS && { lease: leaseMs }),
    input: columns.input(request.input, events),
    ...(events && { events }),
    ...(close && { close }),
    ...(active !== undefined && stale === undefined && send?.ifActive === "interrupt" && { interrupt: active.ordinal }),
  } as const;
  return { record, columns };
}

function newSession({ sessionId }: Place, { owner }: Caller, { agent }: BeginRequest) {
  return { id: sessionId, agent, ...(owner !== undefined && { owner }) };
}
