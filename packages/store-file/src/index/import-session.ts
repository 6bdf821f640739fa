import { AgentError } from "@agents/schema/error";
import { snapshotRoute } from "@agents/schema/hash";
import type { Caller, SessionRecord, StateContent, StoredEvent, TurnRecord } from "@agents/schema/port";
import type { ColumnRun, WholeTurn } from "../record/record.ts";
import { ColumnDraft, type RecordDraft } from "../record/record-draft.ts";
import { type StoreFiles, sessionPlace } from "../turn/store-files.ts";

type Imported = { readonly type: "imported" | "conflict" };

/** One record, so it is all there or not at all. */
export function importSession(
  files: StoreFiles,
  caller: Caller,
  record: SessionRecord<StateContent>,
): Promise<Imported> {
  const place = sessionPlace(caller, record.session.sessionId);
  for (const { turn } of record.turns) refuseTurn(turn, record.session.sessionId, place.route);
  return files.journals.change<Imported>({
    place,
    create: true,
    missing: () => ({ type: "conflict" }),
    decide({ tables }, now) {
      const exists =
        tables.sessions.has(record.session.sessionId) ||
        record.turns.some(({ turn }) => tables.turns.has(turn.snapshotId));
      if (exists) return { answer: { type: "conflict" } };
      const write = draftWhole(caller, record, { number: tables.nextSession, now });
      return { write, answered: () => ({ type: "imported" }) };
    },
  });
}

function refuseTurn(
  { snapshotId, sessionId, status }: TurnRecord<StateContent>["turn"],
  session: string,
  route: string,
) {
  const reason =
    status === "pending" || status === "aborting"
      ? `is ${status}; only final turns can be imported`
      : sessionId !== session
        ? `is of session ${JSON.stringify(sessionId)}, not of ${JSON.stringify(session)}`
        : snapshotRoute(snapshotId) !== route
          ? `does not have the route of its session, ${route}, so it could not be found by its id`
          : undefined;
  if (reason === undefined) return;
  throw new AgentError("INVALID_ARGUMENT", `Snapshot ${JSON.stringify(snapshotId)} ${reason}.`, {
    details: { snapshotId, status },
  });
}

function draftWhole(
  caller: Caller,
  { session, turns }: SessionRecord<StateContent>,
  { number, now }: { number: number; now: number },
): RecordDraft {
  const columns = new ColumnDraft();
  const ordinals = new Map(turns.map(({ turn }) => [turn.snapshotId, turn.ordinal]));
  const owner = caller.owner ?? session.owner;
  const head = session.headId === undefined ? undefined : ordinals.get(session.headId);
  const record = {
    t: "whole",
    at: now,
    s: number,
    session: {
      id: session.sessionId,
      agent: session.agent,
      ...(owner !== undefined && { owner }),
      ...(session.fingerprint !== undefined && { fingerprint: session.fingerprint }),
      ...(session.metadata !== undefined && { metadata: session.metadata }),
      state: session.state,
      createdAt: session.createdAt,
      updatedAt: session.updatedAt,
      lastOrdinal: Math.max(0, ...ordinals.values()),
      ...(head !== undefined && { head }),
      ...(session.forked && { forked: true as const }),
    },
    turns: turns
      .toSorted((one, other) => one.turn.ordinal - other.turn.ordinal)
      .map((turn) => toWholeTurn(turn, { columns, ordinals })),
  } as const;
  return { record, columns };
}

function toWholeTurn(
  { turn, fingerprint, trunkId, resumable, waiting, content, events }: TurnRecord<StateContent>,
  { columns, ordinals }: { columns: ColumnDraft; ordinals: ReadonlyMap<string, number> },
): WholeTurn {
  const parent = turn.parentId === undefined ? undefined : ordinals.get(turn.parentId);
  const log = eventRuns(events, columns);
  return {
    id: turn.snapshotId.slice(turn.snapshotId.indexOf(".") + 1),
    n: turn.ordinal,
    agent: turn.agent,
    ...(turn.parentId !== undefined && { parentId: turn.parentId }),
    ...(parent !== undefined && { parent }),
    ...(trunkId !== undefined && { trunkId }),
    ...(fingerprint !== undefined && { fingerprint }),
    createdAt: turn.createdAt,
    updatedAt: turn.updatedAt,
    status: turn.status,
    version: turn.version,
    epoch: turn.epoch,
    lastSeq: turn.lastSeq,
    ...(turn.result !== undefined && { result: turn.result }),
    ...(waiting && { waiting }),
    ...(resumable && { resumable }),
    ...(content && { state: columns.state(content) }),
    ...(log.length > 0 && { events: log }),
  };
}

/** Columns in a row for each epoch. */
function eventRuns(events: readonly StoredEvent[], columns: ColumnDraft) {
  const runs: [first: number, epoch: number, run: ColumnRun][] = [];
  for (let start = 0; start < events.length; ) {
    const { seq = 1, epoch = 1 } = events[start] ?? {};
    const next = events.findIndex((event, index) => index > start && event.epoch !== epoch);
    const end = next === -1 ? events.length : next;
    runs.push([seq, epoch, columns.run(events.slice(start, end).map(({ json }) => json))]);
    start = end;
  }
  return runs;
}
