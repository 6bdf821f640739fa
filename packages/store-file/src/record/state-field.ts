import type { StateContent, StateFigures } from "@agents/schema/port";
import { decodeColumn } from "./column-text.ts";
import type { ColumnRun, StateField } from "./record.ts";

/** Between two messages in a patch that only adds them, before the first, and after the last. */
const BETWEEN = '},{"op":"add","path":"/messages/-","value":';
const BEFORE = `[${BETWEEN.slice(2)}`;
const AFTER = "}]";

/** The texts of a state's columns. What most turns do, to add messages, becomes a column for each of them. */
export function stateTexts({ kind, json }: Pick<StateContent, "kind" | "json">): {
  readonly kind: StateField[0];
  readonly texts: readonly string[];
} {
  const adds = kind === "patch" && json.startsWith(BEFORE) && json.endsWith(AFTER);
  if (!adds) return { kind, texts: [json] };
  return { kind: "messages", texts: json.slice(BEFORE.length, -AFTER.length).split(BETWEEN) };
}

/** The exact text that columns were made of, from their bytes in a row. */
export function stateText(kind: StateField[0], columns: string): string {
  const isQuoted = columns.startsWith("~") || columns.includes("\t~");
  const texts = isQuoted ? columns.split("\t").map(decodeColumn) : undefined;
  if (kind !== "messages") return texts?.[0] ?? columns;
  return `${BEFORE}${texts?.join(BETWEEN) ?? columns.replaceAll("\t", BETWEEN)}${AFTER}`;
}

export function toStateField(kind: StateField[0], run: ColumnRun, figures: StateFigures): StateField {
  const { stateHash, messagesDigest, stateBytes, loadBytes, loadRows } = figures;
  return [kind, run, packDigest(stateHash), packDigest(messagesDigest), stateBytes, loadBytes, loadRows];
}

export function toFigures([, , stateHash, messagesDigest, stateBytes, loadBytes, loadRows]: StateField): StateFigures {
  return {
    stateHash: unpackDigest(stateHash),
    messagesDigest: unpackDigest(messagesDigest),
    stateBytes,
    loadBytes,
    loadRows,
  };
}

const SHA256 = /^[0-9a-f]{64}$/;
const PLAIN = "=";

/** A digest in two thirds of its length; any other text behind `=`. */
function packDigest(digest: string): string {
  return SHA256.test(digest) ? Buffer.from(digest, "hex").toString("base64url") : PLAIN + digest;
}

function unpackDigest(packed: string): string {
  return packed.startsWith(PLAIN) ? packed.slice(1) : Buffer.from(packed, "base64url").toString("hex");
}
