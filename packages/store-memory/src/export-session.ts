import { applyPatch } from "@agents/schema/patch";
import type { Caller, SessionRecord, StateFigures, StateText, TurnMeta, TurnRecord } from "@agents/schema/port";
import { findSession } from "./caller-access.ts";
import { stateOf } from "./saved-state.ts";
import { toSessionMeta } from "./session-meta.ts";
import { parentOf } from "./session-table.ts";
import { isLive } from "./status-moves.ts";
import type { SavedState, Tables, TurnRow } from "./tables.ts";
import { toTurnMeta } from "./turn-meta.ts";

/** At one moment, as every call here. */
export function exportSession(tables: Tables, caller: Caller, sessionId: string): SessionRecord<StateText> | undefined {
  const session = findSession(tables, caller, sessionId);
  if (session === undefined) return undefined;
  const { activeId: _, ...meta } = toSessionMeta(session);
  const { fingerprint, forked } = session;
  const now = tables.clock.now();
  return {
    session: { ...meta, forked, ...(fingerprint === undefined ? {} : { fingerprint }) },
    turns: session.turns.map((turn) => exportTurn(turn, toTurnMeta(turn, now))),
  };
}

function exportTurn(turn: TurnRow, meta: TurnMeta): TurnRecord<StateText> {
  const { input, fingerprint, trunkId, resumable, waiting, events } = turn;
  const state = isLive(turn.status) ? undefined : exportState(turn);
  return {
    turn: state === undefined ? meta : { ...meta, state: state.figures },
    ...(input === "" ? {} : { input }),
    ...(fingerprint === undefined ? {} : { fingerprint }),
    ...(trunkId === undefined ? {} : { trunkId }),
    resumable,
    waiting,
    ...(state === undefined ? {} : { content: state.content }),
    events: [...events],
  };
}

interface ExportedState {
  readonly content: StateText;
  readonly figures: StateFigures;
}

/**
 * A row without a state of its own has none, unless the row that its children's state comes from was dropped: then the state
 * goes with this one, or it would be lost on the way.
 */
function exportState(turn: TurnRow): ExportedState | undefined {
  const state = stateOf(turn);
  const base = nearestState(turn);
  if (state === undefined || (turn.saved === undefined && state === base)) return undefined;
  return { content: textOf(state, base), figures: state.figures };
}

/** Of the ancestors whose rows are still there, as whoever reads the record finds it. */
function nearestState(turn: TurnRow): SavedState | undefined {
  for (let row = parentOf(turn); row !== undefined; row = parentOf(row)) {
    if (row.saved !== undefined && !isLive(row.status)) return row.saved;
  }
  return undefined;
}

/** As the change where the state it changes goes along, whole otherwise. */
function textOf(state: SavedState, base: SavedState | undefined): StateText {
  if (state.kind === "operations" && state.base === base) {
    return { kind: "patch", json: JSON.stringify(state.operations) };
  }
  return { kind: "full", json: JSON.stringify(wholeOf(state)) };
}

function wholeOf(state: SavedState): unknown {
  const changes: SavedState[] = [];
  let at = state;
  for (; at.kind === "operations"; at = at.base) changes.unshift(at);
  return applyPatch(
    at.value,
    changes.flatMap((change) => (change.kind === "operations" ? change.operations : [])),
  );
}
