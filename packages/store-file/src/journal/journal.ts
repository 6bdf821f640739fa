import { closeSync, fstatSync, readSync, writeSync } from "node:fs";
import { basename } from "node:path";
import { AgentError } from "@agents/schema/error";
import { columnsOf, decodeLine, encodeLine, type Text } from "../record/line.ts";
import type { JournalRecord } from "../record/record.ts";
import type { RecordDraft } from "../record/record-draft.ts";
import { applyRecord } from "../session/apply-record.ts";
import { createTables, type Tables, type TurnRow } from "../session/tables.ts";
import { GroupSync } from "./group-sync.ts";

export interface JournalOptions {
  readonly fd: number;
  readonly folder: string;
  readonly path: string;
  readonly generation: number;
  /** Names this writer in its records. */
  readonly writer: { stamp(): string };
  readonly changed: (turn: TurnRow) => void;
  /** Whether answers wait for the disk. */
  readonly durable: boolean;
  /** Folders that were made for it, whose entries must reach the disk too. */
  readonly madeIn: readonly string[];
}

/**
 * What became of an own record: it took effect, its condition did not hold, or it was lost in another's torn line, where
 * nobody will ever see it.
 */
export type Appended = "effective" | "void" | "lost";

const NEWLINE = 0x0a;
/** Read at once beyond what is asked for: a delta is seldom longer. */
const CHUNK = 64 * 1024;

/**
 * One file, open, and what it says so far. Reading and writing are synchronous, since both meet the page cache only: so
 * nothing in this process comes between a decision and its record. Only the wait for the disk is not.
 */
export class Journal {
  readonly tables: Tables;
  readonly sync: GroupSync;
  readonly folder: string;
  readonly path: string;
  readonly generation: number;
  /** Who needs the file to stay open. */
  users = 0;
  /** Up to here it was replayed: after the last whole line. */
  #offset = 0;
  /** Whether an unfinished line follows. */
  #torn = false;
  readonly #fd: number;
  readonly #writer: JournalOptions["writer"];
  #closed = false;

  constructor({ fd, folder, path, generation, writer, changed, durable, madeIn }: JournalOptions) {
    this.#fd = fd;
    this.folder = folder;
    this.path = path;
    this.generation = generation;
    this.#writer = writer;
    this.tables = createTables({ route: basename(folder), changed });
    this.sync = new GroupSync({ fd, path, durable, madeIn });
  }

  get size(): number {
    return this.#offset;
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  /** Replays what was written since. Costs one read that finds nothing, where nothing was. */
  refresh(): void {
    this.#replay(undefined);
  }

  /**
   * Writes a record and replays up to it. `whenEffective` is called at its place in the log, before any record after it.
   */
  append(draft: RecordDraft, whenEffective: () => void): Appended {
    const own = this.encode(draft);
    this.write(own.line);
    return this.finish(own, whenEffective);
  }

  encode(draft: RecordDraft): OwnLine {
    return this.#stamp(draft, this.tables.revision);
  }

  /** The line as it is in another journal, at a revision of that one. */
  encodeAt(draft: RecordDraft, revision: number): Buffer {
    return this.#stamp(draft, revision).line;
  }

  /** With `O_APPEND`: bytes of one call stand together, whoever else writes. */
  write(bytes: Uint8Array): void {
    // A line of somebody who died in the middle of it, or is not done yet. Ours starts on a line of its own either way.
    if (this.#torn) writeAll(this.#fd, Buffer.concat([Buffer.of(NEWLINE), bytes]));
    else writeAll(this.#fd, bytes);
  }

  /** The second part of a line, if its bytes have to come apart: another's may come between, and then it is lost. */
  writeRest(bytes: Uint8Array): void {
    writeAll(this.#fd, bytes);
  }

  /** @param inOneWrite Its bytes stand together. Those of two writes may have been replayed in part, as a line that was torn. */
  finish(own: OwnLine, whenEffective: () => void, inOneWrite = true): Appended {
    const { size, nlink } = fstatSync(this.#fd);
    // Nothing but our line was added, so there is nothing to read.
    const isAlone = inOneWrite && !this.#torn && size === this.#offset + own.line.length;
    const outcome = isAlone
      ? this.#applyOwn({ ...own, whenEffective }, this.#offset)
      : this.#replay({ ...own, whenEffective });
    // A file without a name takes writes, and loses them.
    if (nlink === 0 && this.tables.movedTo === undefined) throw removedError(this.path);
    return outcome;
  }

  /** A piece of a replayed line. */
  read({ at, size }: Text): Buffer {
    const buffer = Buffer.allocUnsafe(size);
    const length = readAt(this.#fd, buffer, at);
    if (length === size) return buffer;
    throw new AgentError(
      "DATA_LOSS",
      `${this.path} ends at byte ${at + length}; it was longer. It was cut by others.`,
      {
        details: { path: this.path, at, size },
      },
    );
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    closeSync(this.#fd);
  }

  #stamp({ record: unstamped, columns }: RecordDraft, revision: number): OwnLine {
    const { t, ...rest } = unstamped;
    const record = {
      t,
      ...(isConditional(t) && { if: revision }),
      ...(t === "moved" && { effects: this.tables.effects }),
      ...rest,
      ...(!ALONE.has(t) && { by: this.#writer.stamp() }),
    } as JournalRecord;
    return { record, line: encodeLine(record, columns.texts) };
  }

  #replay(own: AppliedLine | undefined): Appended {
    let outcome: Appended = "lost";
    let buffer = scratch(own === undefined ? this.#firstRead() : own.line.length + CHUNK);
    for (;;) {
      const offset = this.#offset;
      const length = readAt(this.#fd, buffer, offset);
      let start = 0;
      for (let end = nextLine(buffer, start, length); end !== -1; end = nextLine(buffer, start, length)) {
        if (own !== undefined && isSame(buffer, { start, end }, own.line)) {
          outcome = this.#applyOwn(own, offset + start);
        } else {
          this.#replayLine(buffer, { start, end, offset });
        }
        start = end + 1;
        this.#offset = offset + start;
      }
      this.#torn = start < length;
      if (length < buffer.length) return outcome;
      // A line that is longer than the buffer, or more of them.
      if (start === 0) buffer = Buffer.allocUnsafe(buffer.length * 4);
      else if (buffer.length < LARGE) buffer = Buffer.allocUnsafe(LARGE);
    }
  }

  /** A journal that was just opened is read as a whole, a delta is seldom long. */
  #firstRead(): number {
    return this.#offset === 0 ? Math.min(fstatSync(this.#fd).size + 1, LARGE) : CHUNK;
  }

  #replayLine(buffer: Buffer, at: { start: number; end: number; offset: number }): void {
    const size = at.end - at.start;
    const line = decodeLine(buffer, { ...at, path: this.path });
    if (line === undefined) this.tables.garbage += size;
    else this.#apply(line.record, line.columns, size);
  }

  #applyOwn({ record, line, whenEffective }: AppliedLine, at: number): Appended {
    const isEffective = this.#apply(record, columnsOf(line, at), line.length - 1);
    this.#offset = at + line.length;
    if (isEffective) whenEffective();
    return isEffective ? "effective" : "void";
  }

  #apply(record: JournalRecord, columns: ReturnType<typeof columnsOf>, size: number): boolean {
    const isEffective = applyRecord(this.tables, record, columns);
    if (!isEffective || record.t === "beat") this.tables.garbage += size;
    // A heartbeat that a power cut takes back is as good as one that came too late.
    if (record.t !== "beat") this.sync.wrote(this.#offset + size + 1);
    return isEffective;
  }
}

export interface OwnLine {
  readonly record: JournalRecord;
  readonly line: Buffer;
}

interface AppliedLine extends OwnLine {
  readonly whenEffective: () => void;
}

/** Events and heartbeats of many turns do not get in each other's way: their turn's epoch is their condition. */
function isConditional(type: JournalRecord["t"]): boolean {
  return type !== "append" && type !== "beat" && type !== "base";
}

/** Two equal ones are one and the same, written twice: their answers are the same, too. */
const ALONE: ReadonlySet<JournalRecord["t"]> = new Set(["begin", "settle", "append", "beat"]);

/** Read at once where a whole journal is. */
const LARGE = 4 * 1024 * 1024;

/** For deltas: nothing is kept of it beyond one replay, which never waits. */
let reused = Buffer.allocUnsafe(2 * CHUNK);
function scratch(size: number): Buffer {
  if (reused.length < size && size <= LARGE) reused = Buffer.allocUnsafe(size);
  return size > LARGE ? Buffer.allocUnsafe(size) : reused;
}

function nextLine(buffer: Buffer, start: number, length: number): number {
  const end = buffer.indexOf(NEWLINE, start);
  return end >= length ? -1 : end;
}

function isSame(buffer: Buffer, { start, end }: { start: number; end: number }, line: Buffer): boolean {
  return end - start + 1 === line.length && line.compare(buffer, start, end + 1) === 0;
}

function readAt(fd: number, buffer: Buffer, at: number): number {
  let length = 0;
  while (length < buffer.length) {
    const read = readSync(fd, buffer, length, buffer.length - length, at + length);
    if (read === 0) break;
    length += read;
  }
  return length;
}

function writeAll(fd: number, bytes: Uint8Array): void {
  // Short when the disk is full: what is missing then fails with the reason, and the line is torn, which nobody reads.
  for (let written = 0; written < bytes.length; ) written += writeSync(fd, bytes, written);
}

function removedError(path: string): AgentError {
  return new AgentError(
    "DATA_LOSS",
    `${path} was removed from outside while the store had it open; what is written to it would be lost. Delete sessions through the store.`,
    { details: { path } },
  );
}
