import { sessionRoute, snapshotRoute } from "@agents/schema/hash";
import type { Caller, ReadAt, StateChain, TurnMeta } from "@agents/schema/port";
import { findSession, findTurn } from "../session/find-row.ts";
import { toTurnMeta } from "../session/meta.ts";
import { chainOf } from "../session/state-chain.ts";
import type { Tables, TurnRow } from "../session/tables.ts";
import { loadChain, type StoreFiles } from "./store-files.ts";

export interface ReadRequest {
  readonly at: ReadAt;
  readonly want: "meta" | { readonly known: readonly string[] };
}

type Read = { readonly turn: TurnMeta; readonly chain?: StateChain } | undefined;

export function readTurn(files: StoreFiles, caller: Caller, { at, want }: ReadRequest): Promise<Read> {
  const route = "snapshotId" in at ? snapshotRoute(at.snapshotId) : sessionRoute(at.sessionId);
  if (route === undefined) return Promise.resolve(undefined);
  return files.journals.read<Read>({ scope: caller.scope, route }, (journal, now) => {
    const row = journal && findRow(journal.tables, caller, at);
    if (journal === undefined || row === undefined) return undefined;
    const turn = toTurnMeta(row, now);
    return want === "meta" ? { turn } : { turn, chain: loadChain(journal, chainOf(row, want.known)) };
  });
}

function findRow(tables: Tables, caller: Caller, at: ReadAt): TurnRow | undefined {
  if ("snapshotId" in at) return findTurn(tables, caller, at.snapshotId);
  return findSession(tables, caller, at.sessionId)?.turns.findLast(({ status }) => at.among.includes(status));
}
