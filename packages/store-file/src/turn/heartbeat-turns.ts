import { snapshotRoute } from "@agents/schema/hash";
import type { CallerLease, Fenced, StoreTime } from "@agents/schema/port";
import type { Journal } from "../journal/journal.ts";
import type { Decision, Place } from "../journal/journals.ts";
import { ColumnDraft } from "../record/record-draft.ts";
import { findLeased } from "../session/find-row.ts";
import { toTurnMeta } from "../session/meta.ts";
import { isLive } from "../session/tables.ts";
import type { StoreFiles } from "./store-files.ts";

/** Each lease by itself, those of one journal in one record. None waits for the disk: a lease is over after a crash. */
export async function heartbeatTurns(
  files: StoreFiles,
  leases: readonly CallerLease[],
  leaseMs: number,
): Promise<readonly Fenced[]> {
  const answers: Fenced[] = leases.map(() => ({ ok: false }));
  const groups = [...groupByJournal(leases).values()];
  await Promise.all(
    groups.map(async ({ place, entries }) => {
      const renewed = await files.journals.change<readonly Fenced[]>({
        place,
        durable: false,
        missing: () => [],
        decide: (journal, now) => decideHeartbeat(journal, { leases: entries.map(({ lease }) => lease), leaseMs, now }),
      });
      for (const [index, { position }] of entries.entries()) answers[position] = renewed[index] ?? { ok: false };
    }),
  );
  return answers;
}

interface Group {
  readonly place: Place;
  readonly entries: { readonly position: number; readonly lease: CallerLease }[];
}

function groupByJournal(leases: readonly CallerLease[]): Map<string, Group> {
  const groups = new Map<string, Group>();
  for (const [position, lease] of leases.entries()) {
    const { scope } = lease.caller;
    const route = snapshotRoute(lease.lease.snapshotId);
    if (route === undefined) continue;
    const key = `${route} ${scope}`;
    const group = groups.get(key) ?? { place: { scope, route }, entries: [] };
    group.entries.push({ position, lease });
    groups.set(key, group);
  }
  return groups;
}

function decideHeartbeat(
  { tables }: Journal,
  { leases, leaseMs, now }: { leases: readonly CallerLease[]; leaseMs: number; now: StoreTime },
): Decision<readonly Fenced[]> {
  const held = leases.flatMap(({ caller, lease }) => {
    const turn = findLeased(tables, caller, lease);
    return turn !== undefined && isLive(turn) && turn.epoch === lease.epoch ? [turn] : [];
  });
  const answered = (): readonly Fenced[] =>
    leases.map(({ caller, lease }): Fenced => {
      const turn = findLeased(tables, caller, lease);
      if (turn === undefined) return { ok: false };
      return { ok: isLive(turn) && turn.epoch === lease.epoch, turn: toTurnMeta(turn, now) };
    });
  if (held.length === 0) return { answer: answered() };
  const turns = held.map(({ session, ordinal, epoch }) => [session.number, ordinal, epoch] as const);
  return { write: { record: { t: "beat", at: now, lease: leaseMs, turns }, columns: new ColumnDraft() }, answered };
}
