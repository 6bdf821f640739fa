import type { Caller, Fenced, Lease, SettleRequest, TurnStore } from "@agents/schema/port";
import { referenceBegin } from "./reference-begin.ts";
import {
  chainTo,
  change,
  findSession,
  findTurn,
  finish,
  isLive,
  isStale,
  metaOf,
  type ReferenceRows,
  renew,
  type TurnRow,
  turnsOf,
} from "./reference-rows.ts";

/** The rules for turns, each as its doc comment in the port says. Methods do not wait, so each is atomic. */
export function referenceTurns(rows: ReferenceRows): TurnStore {
  return {
    begin: async (caller, request) => referenceBegin(rows, caller, request),
    settle: async (caller, lease, request) => settle(rows, caller, lease, request),
    heartbeat: async (leases, leaseMs) =>
      leases.map(({ caller, lease }) => {
        const row = findTurn(rows, caller, lease.snapshotId);
        if (row === undefined) return { ok: false };
        const ok = row.meta.epoch === lease.epoch && isLive(row);
        if (ok) renew(rows, row, leaseMs);
        return { ok, turn: metaOf(rows, row) };
      }),
    async requestAbort(caller, snapshotId, { outcome, heads }) {
      const row = findTurn(rows, caller, snapshotId);
      if (row === undefined) return undefined;
      const before = metaOf(rows, row);
      if (isStale(rows, row)) finish(rows, row, outcome, { heads, epoch: row.meta.epoch + 1 });
      else if (row.meta.status === "pending") change(rows, row, { status: "aborting" });
      return { before, after: metaOf(rows, row) };
    },
    async claim(caller, snapshotId, { writer, leaseMs, known }) {
      const row = findTurn(rows, caller, snapshotId);
      if (row === undefined) return { type: "notFound" };
      const isRepeat = row.meta.epoch > 1 && row.meta.status === "pending" && row.writer === writer;
      if (!isRepeat) {
        if (row.meta.status !== "pending" || !isStale(rows, row)) return { type: "refused", turn: metaOf(rows, row) };
        renew(rows, row, leaseMs);
        row.writer = writer;
        change(rows, row, { epoch: row.meta.epoch + 1 });
      }
      const { sessionId, epoch } = row.meta;
      const chain = chainTo(rows, row, known);
      return {
        type: "claimed",
        lease: { snapshotId, sessionId, epoch },
        turn: metaOf(rows, row),
        input: row.input,
        chain,
      };
    },
    async read(caller, at, want) {
      const row = "snapshotId" in at ? findTurn(rows, caller, at.snapshotId) : newest(rows, caller, at);
      if (row === undefined) return undefined;
      const turn = metaOf(rows, row);
      return want === "meta" ? { turn } : { turn, chain: chainTo(rows, row, want.known) };
    },
  };
}

function settle(rows: ReferenceRows, caller: Caller, lease: Lease, request: SettleRequest): Fenced {
  const row = findTurn(rows, caller, lease.snapshotId);
  if (row === undefined) return { ok: false };
  if (row.meta.epoch !== lease.epoch) return { ok: false, turn: metaOf(rows, row) };
  // A repeat: what this epoch wrote is there, and stays.
  if (!isLive(row)) return { ok: true, turn: metaOf(rows, row) };
  const { events, ...outcome } = row.meta.status === "aborting" ? request.aborting : request.pending;
  const follows = !rows.keepsEvents || events.events.length === 0 || events.firstSeq === row.meta.lastSeq + 1;
  if (!follows) return { ok: false, turn: metaOf(rows, row) };
  finish(rows, row, { ...outcome, events: events.events }, { heads: request.heads });
  return { ok: true, turn: metaOf(rows, row) };
}

function newest(
  rows: ReferenceRows,
  caller: Caller,
  at: { readonly sessionId: string; readonly among: readonly string[] },
): TurnRow | undefined {
  const session = findSession(rows, caller, at.sessionId);
  if (session === undefined) return undefined;
  return turnsOf(rows, session).findLast((turn) => at.among.includes(turn.meta.status));
}
