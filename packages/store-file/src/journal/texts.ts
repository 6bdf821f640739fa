import { decodeColumn } from "../record/column-text.ts";
import type { Text } from "../record/line.ts";
import { stateText } from "../record/state-field.ts";
import type { SavedState } from "../session/tables.ts";
import type { Journal } from "./journal.ts";

export interface Texts {
  /** What stands in one column. */
  textOf(text: Text): string;
  /** Columns in a row, as they stand there: `decodeColumn` makes texts of them. */
  columnsOf(text: Text): readonly string[];
  /** States of any lines, as they were given: read in few pieces where they are near each other. */
  statesOf(states: readonly SavedState[]): readonly string[];
}

/** Reading more at once is cheaper than reading twice, as long as about this share of it is wanted. */
const WORTH_READING = 1 / 4;

export function textsOf(journal: Pick<Journal, "read">): Texts {
  return {
    textOf: (text) => decodeColumn(journal.read(text).toString("utf8")),
    columnsOf: (text) => journal.read(text).toString("utf8").split("\t"),
    statesOf: (states) => inPieces(states).flatMap((piece) => statesIn(journal, piece)),
  };
}

/** In the order of the file. */
function inPieces(states: readonly SavedState[]): SavedState[][] {
  const pieces: SavedState[][] = [];
  let wanted = 0;
  for (const state of states) {
    const { at, size } = state.text;
    const piece = pieces.at(-1);
    const start = piece?.[0]?.text.at ?? at;
    wanted += size;
    if (piece !== undefined && at > start && wanted >= (at + size - start) * WORTH_READING) piece.push(state);
    else {
      pieces.push([state]);
      wanted = size;
    }
  }
  return pieces;
}

function statesIn(journal: Pick<Journal, "read">, piece: readonly SavedState[]): string[] {
  const first = piece[0]?.text;
  const last = piece.at(-1)?.text;
  if (first === undefined || last === undefined) return [];
  const bytes = journal.read({ at: first.at, size: last.at + last.size - first.at });
  return piece.map(({ field: [kind], text: { at, size } }) => {
    return stateText(kind, bytes.toString("utf8", at - first.at, at - first.at + size));
  });
}
