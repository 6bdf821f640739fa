import { randomBytes } from "node:crypto";
import { closeSync, fsyncSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { StoreTime } from "@agents/schema/port";
import { syncFolder } from "../disk/sync-folder.ts";
import { ColumnDraft } from "../record/record-draft.ts";
import { wholeSession } from "../session/whole-session.ts";
import type { Journal } from "./journal.ts";
import { textsOf } from "./texts.ts";

/** Below this a journal is not worth to be written anew. */
const LEAST_GARBAGE = 64 * 1024;

/** Whether most of a journal is about what is gone: so it is written anew at most once for each time it doubles. */
export function isMostlyGarbage({ tables, size }: Journal): boolean {
  return tables.garbage > LEAST_GARBAGE && tables.garbage > size / 2;
}

/**
 * Writes what counts into a new file and ends the journal with a record that names it. If anything took effect meanwhile,
 * the record does not, and the new file goes. True when the journal has moved on.
 */
export function compactJournal(journal: Journal, { at, durable }: { at: StoreTime; durable: boolean }): boolean {
  const name = `${String(journal.generation + 1).padStart(6, "0")}-${randomBytes(6).toString("hex")}.next`;
  const path = join(journal.folder, name);
  try {
    writeNext(journal, { path, at, durable });
    // The record names the file: it must not be there before the file surely is.
    if (durable) syncFolder(journal.folder);
    const record = { t: "moved", to: name, at } as const;
    if (journal.append({ record, columns: new ColumnDraft() }, () => undefined) === "effective") return true;
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  }
  rmSync(path, { force: true });
  return false;
}

function writeNext(journal: Journal, { path, at, durable }: { path: string; at: StoreTime; durable: boolean }): void {
  const fd = openSync(path, "wx", 0o600);
  try {
    const { nextSession, sessions } = journal.tables;
    const base = { t: "base", nextSession, at } as const;
    write(fd, journal.encodeAt({ record: base, columns: new ColumnDraft() }, 0));
    const texts = textsOf(journal);
    let revision = 0;
    for (const session of sessions.values()) {
      const whole = wholeSession(session, { at, ...texts });
      write(fd, journal.encodeAt(whole, revision));
      revision++;
    }
    if (durable) fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

function write(fd: number, line: Buffer): void {
  for (let written = 0; written < line.length; ) written += writeSync(fd, line, written);
}
