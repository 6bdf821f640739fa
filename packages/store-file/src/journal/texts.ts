import { decodeColumn } from "../record/column-text.ts";
import type { Text } from "../record/line.ts";
import type { Journal } from "./journal.ts";

export interface Texts {
  /** What stands in one column. */
  textOf(text: Text): string;
  /** Columns in a row, as they stand there: `decodeColumn` makes texts of them. */
  columnsOf(text: Text): readonly string[];
  /** What stands in each of these columns, of any lines: read in few pieces where they are near each other. */
  allOf(texts: readonly Text[]): readonly string[];
}

/** Reading more at once is cheaper than reading twice, as long as about this share of it is wanted. */
const WORTH_READING = 1 / 4;

export function textsOf(journal: Pick<Journal, "read">): Texts {
  return {
    textOf: (text) => decodeColumn(journal.read(text).toString("utf8")),
    columnsOf: (text) => journal.read(text).toString("utf8").split("\t"),
    allOf: (texts) => inPieces(texts).flatMap((piece) => textsIn(journal, piece)),
  };
}

/** In the order of the file. */
function inPieces(texts: readonly Text[]): Text[][] {
  const pieces: Text[][] = [];
  let wanted = 0;
  for (const text of texts) {
    const piece = pieces.at(-1);
    const first = piece?.[0];
    wanted += text.size;
    const span = first === undefined ? 0 : text.at + text.size - first.at;
    if (piece !== undefined && first !== undefined && text.at > first.at && wanted >= span * WORTH_READING) {
      piece.push(text);
    } else {
      pieces.push([text]);
      wanted = text.size;
    }
  }
  return pieces;
}

function textsIn(journal: Pick<Journal, "read">, piece: readonly Text[]): string[] {
  const first = piece[0];
  const last = piece.at(-1);
  if (first === undefined || last === undefined) return [];
  const bytes = journal.read({ at: first.at, size: last.at + last.size - first.at });
  return piece.map(({ at, size }) => decodeColumn(bytes.toString("utf8", at - first.at, at - first.at + size)));
}
