import { constants, existsSync, mkdirSync, openSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { AgentError } from "@agents/schema/error";
import { isMissing } from "../disk/file-error.ts";
import { SESSIONS_FOLDER } from "../disk/layout.ts";
import { syncFolder } from "../disk/sync-folder.ts";
import { Journal, type JournalOptions } from "./journal.ts";
import { generationsIn, journalName } from "./journal-file.ts";

export interface OpenJournal extends Pick<JournalOptions, "writer" | "changed" | "durable"> {
  readonly folder: string;
  /** Whether it is made where there is none. */
  readonly create: boolean;
}

/** Others may move the journal on while we look for it, a few times at most. */
const MAX_ATTEMPTS = 100;

/** The journal of a folder, replayed. Undefined where there is none. */
export function openJournal(options: OpenJournal): Journal | undefined {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const opened = options.create ? openOrMake(options) : openNewest(options);
    if (opened === "again") continue;
    if (opened === undefined) return undefined;
    opened.refresh();
    if (opened.tables.movedTo === undefined) {
      if (options.durable && opened.tables.revision > 0) adopt(opened);
      return opened;
    }
    follow(opened, options.durable);
  }
  throw new AgentError("UNAVAILABLE", `The journal in ${options.folder} is replaced faster than it can be opened.`);
}

/**
 * Makes the next generation known by its name and removes the one that ended. Whoever finds the end of a journal does it,
 * so nobody depends on the one that wrote it; done twice it changes nothing.
 */
export function follow({ folder, path, generation, tables }: Journal, durable: boolean): void {
  if (tables.movedTo === undefined) return;
  try {
    renameSync(join(folder, tables.movedTo), join(folder, journalName(generation + 1)));
    if (durable) syncFolder(folder);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  rmSync(path, { force: true });
}

function openNewest(options: OpenJournal): Journal | "again" | undefined {
  try {
    return openFirstOf(options, generationsIn(options.folder), []);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function openOrMake(options: OpenJournal): Journal | "again" {
  const { folder } = options;
  const made = makeFolder(folder);
  const opened = openFirstOf(options, generationsIn(folder), made);
  if (opened !== undefined) return opened;
  const journal = openGeneration(options, 1, [...made, folder], constants.O_CREAT);
  // Between the look and the making, others may have made the first and moved on from it.
  if (journal === "again" || generationsIn(folder)[0] === 1) return journal;
  journal.close();
  rmSync(join(folder, journalName(1)), { force: true });
  return "again";
}

/** A generation is there only after the one before has ended: what is left of that is of no use. */
function openFirstOf(
  options: OpenJournal,
  [newest, ...ended]: readonly number[],
  madeIn: readonly string[],
): Journal | "again" | undefined {
  if (newest === undefined) return undefined;
  for (const generation of ended) rmSync(join(options.folder, journalName(generation)), { force: true });
  return openGeneration(options, newest, madeIn);
}

function openGeneration(
  { folder, writer, changed, durable }: OpenJournal,
  generation: number,
  madeIn: readonly string[],
  flags = 0,
): Journal | "again" {
  const path = join(folder, journalName(generation));
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDWR | constants.O_APPEND | flags, 0o600);
  } catch (error) {
    if (isMissing(error) && flags === 0) return "again";
    throw error;
  }
  return new Journal({ fd, folder, path, generation, writer, changed, durable, madeIn });
}

/** Whoever made a young file may have died before its folders were on the disk. After a few answers they are. */
function adopt(journal: Journal): void {
  if (journal.tables.revision > FEW_ANSWERS || Date.now() - statSync(journal.path).birthtimeMs > YOUNG_MS) return;
  journal.sync.alsoFolders(foldersAbove(journal.folder));
}

const FEW_ANSWERS = 2;
/** Long after the kernel has written entries on its own. */
const YOUNG_MS = 120_000;

/** From a journal's folder to the store's directory. */
function foldersAbove(folder: string): string[] {
  const folders = [folder];
  let at = folder;
  do {
    at = dirname(at);
    folders.push(at);
  } while (basename(at) === SESSIONS_FOLDER || basename(at).startsWith("@"));
  return folders;
}

/** The folders that have a new entry. */
function makeFolder(folder: string): string[] {
  if (existsSync(folder)) return [];
  const first = mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (first === undefined) return [dirname(folder)];
  const parents: string[] = [];
  for (let at = folder; at.length >= first.length; at = dirname(at)) parents.push(dirname(at));
  return parents;
}
