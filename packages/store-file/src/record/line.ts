import { crc32 } from "node:zlib";
import type { JournalRecord } from "./record.ts";
import { RECORD_VERSION, readRecord } from "./record-format.ts";

/** A piece of a file. */
export interface Text {
  readonly at: number;
  readonly size: number;
}

export interface Line {
  readonly record: JournalRecord;
  readonly columns: LineColumns;
}

const NEWLINE = 0x0a;
const TAB = 0x09;
const SPACE = 0x20;
const CHECKSUM_LENGTH = 8;
/** Where the checked part of a line starts. */
const BODY = CHECKSUM_LENGTH + 1;

/**
 * One record as one line: `<crc32 of the rest> <version> <record as JSON>` and a column behind a tab for each long text.
 * Whole or not at all: what a crash or a full disk cut off has the wrong checksum.
 */
export function encodeLine(record: JournalRecord, columns: readonly string[]): Buffer {
  const head = `${RECORD_VERSION} ${JSON.stringify(record)}`;
  const rest = columns.length === 0 ? head : `${head}\t${columns.join("\t")}`;
  const size = BODY + Buffer.byteLength(rest) + 1;
  const line = Buffer.allocUnsafe(size);
  line.write(rest, BODY);
  line[CHECKSUM_LENGTH] = SPACE;
  line[size - 1] = NEWLINE;
  line.write(checksumOf(line.subarray(BODY, size - 1)), 0, "latin1");
  return line;
}

/**
 * The line from `start` to its newline at `end`; `offset` is where the buffer's first byte is in the file. Undefined for
 * one that is torn. Throws for one of a newer version.
 */
export function decodeLine(buffer: Buffer, { start, end, offset, path }: LineAt): Line | undefined {
  const body = start + BODY;
  if (end <= body || buffer[body - 1] !== SPACE) return undefined;
  const checked = buffer.subarray(body, end);
  if (readChecksum(buffer, start) !== crc32(checked)) return undefined;
  const versionEnd = checked.indexOf(SPACE);
  const tab = checked.indexOf(TAB);
  const headEnd = tab === -1 ? checked.length : tab;
  if (versionEnd === -1 || versionEnd > headEnd) return undefined;
  const record = readRecord({
    version: Number(checked.toString("latin1", 0, versionEnd)),
    json: checked.toString("utf8", versionEnd + 1, headEnd),
    where: () => `${path}, byte ${offset + start}`,
  });
  return {
    record,
    columns: new LineColumns(checked, { start: headEnd + 1, end: checked.length, offset: offset + body }),
  };
}

export interface LineAt {
  readonly start: number;
  readonly end: number;
  readonly offset: number;
  readonly path: string;
}

/** The columns of an own line, which is known to be good. */
export function columnsOf(line: Buffer, offset: number): LineColumns {
  const tab = line.indexOf(TAB);
  const end = line.length - 1;
  return new LineColumns(line, { start: tab === -1 ? end + 1 : tab + 1, end, offset });
}

/** Where the columns of a line stand in the file. Valid while the buffer is not used again: looked up on demand. */
export class LineColumns {
  readonly #buffer: Buffer;
  readonly #end: number;
  readonly #offset: number;
  /** Where column 0, 1, … starts, as far as was looked. */
  readonly #starts: number[];

  constructor(buffer: Buffer, { start, end, offset }: Omit<LineAt, "path">) {
    this.#buffer = buffer;
    this.#end = end;
    this.#offset = offset;
    this.#starts = [start];
  }

  text(column: number): Text {
    return this.run([column, 1]);
  }

  /** A piece of a column. */
  part([column, firstByte, size]: readonly [number, number, number]): Text {
    return { at: this.#offset + this.#startOf(column) + firstByte, size };
  }

  /** From the first byte of the first column to the last of the last, with the tabs between. */
  run([first, count]: readonly [number, number]): Text {
    const start = this.#startOf(first);
    return { at: this.#offset + start, size: this.#startOf(first + count) - 1 - start };
  }

  #startOf(column: number): number {
    while (this.#starts.length <= column) {
      const last = this.#starts.at(-1) ?? 0;
      const tab = last > this.#end ? -1 : this.#buffer.indexOf(TAB, last);
      this.#starts.push(tab === -1 || tab > this.#end ? this.#end + 1 : tab + 1);
    }
    return this.#starts[column] ?? 0;
  }
}

function checksumOf(bytes: Buffer): string {
  return crc32(bytes).toString(16).padStart(CHECKSUM_LENGTH, "0");
}

/** The number that the digits at `start` say; NaN where they are none. Strings of them would cost more than the rest. */
function readChecksum(buffer: Buffer, start: number): number {
  let value = 0;
  for (let at = start; at < start + CHECKSUM_LENGTH; at++) value = value * 16 + (DIGITS[buffer[at] ?? 0] ?? Number.NaN);
  return value;
}

/** By character code: 0 to 9, a to f. */
const DIGITS: readonly (number | undefined)[] = Array.from({ length: 128 }, (_, code) => {
  const digit = "0123456789abcdef".indexOf(String.fromCharCode(code));
  return digit === -1 ? undefined : digit;
});
