import type { Caller, SessionRecord, StateText, TurnRecord } from "@agents/schema/port";
import type { Journal } from "../journal/journal.ts";
import { textsOf } from "../journal/texts.ts";
import { findSession } from "../session/find-row.ts";
import { toSessionMeta, toTurnMeta } from "../session/meta.ts";
import type { SavedState, TurnRow } from "../session/tables.ts";
import { storedEvents } from "../turn/read-events.ts";
import { type StoreFiles, sessionPlace } from "../turn/store-files.ts";

export function exportSession(
  files: StoreFiles,
  caller: Caller,
  sessionId: string,
): Promise<SessionRecord<StateText> | undefined> {
  return files.journals.read<SessionRecord<StateText> | undefined>(sessionPlace(caller, sessionId), (journal, now) => {
    const session = journal && findSession(journal.tables, caller, sessionId);
    if (journal === undefined || session === undefined) return undefined;
    const { activeId: _, ...meta } = toSessionMeta(session);
    const { fingerprint, forked } = session;
    return {
      session: { ...meta, ...(fingerprint !== undefined && { fingerprint }), forked },
      turns: session.turns.map((turn) => exportTurn(journal, turn, now)),
    };
  });
}

function exportTurn(journal: Journal, row: TurnRow, now: number): TurnRecord<StateText> {
  const { fingerprint, trunkId, resumable, waiting, live, state } = row;
  const { textOf } = textsOf(journal);
  const turn = toTurnMeta(row, now);
  return {
    turn,
    ...(live && { input: textOf(live.input) }),
    ...(fingerprint !== undefined && { fingerprint }),
    ...(trunkId !== undefined && { trunkId }),
    resumable,
    waiting,
    ...(state && turn.state && { content: exportState(journal, state) }),
    events: storedEvents(journal, row, { after: 0, limit: Number.POSITIVE_INFINITY }),
  };
}

function exportState(journal: Journal, state: SavedState): StateText {
  const [json = ""] = textsOf(journal).statesOf([state]);
  return { kind: state.field[0] === "full" ? "full" : "patch", json };
}
