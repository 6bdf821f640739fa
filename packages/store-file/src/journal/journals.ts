import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { join, sep } from "node:path";
import { setTimeout } from "node:timers/promises";
import { AgentError } from "@agents/schema/error";
import type { StoreTime } from "@agents/schema/port";
import { toFileError } from "../disk/file-error.ts";
import { SESSIONS_FOLDER } from "../disk/layout.ts";
import { scopePath } from "../disk/scope-path.ts";
import type { RecordDraft } from "../record/record-draft.ts";
import type { TurnRow } from "../session/tables.ts";
import { compactJournal, isMostlyGarbage } from "./compact-journal.ts";
import type { Journal } from "./journal.ts";
import { JournalCache } from "./journal-cache.ts";
import { follow, openJournal } from "./open-journal.ts";
import type { FileStoreStep, SteppedOperation } from "./steps.ts";

/** Where a journal is. */
export interface Place {
  readonly scope: string;
  readonly route: string;
}

export interface JournalsOptions {
  readonly directory: string;
  readonly durable: boolean;
  readonly maxOpen: number;
  readonly now: () => StoreTime;
  readonly changed: (scope: string, turn: TurnRow) => void;
  readonly onStep: ((step: FileStoreStep) => void | Promise<void>) | undefined;
}

/** What to do, by what the journal says now: answer, or write a record and answer when it took effect. */
export type Decision<Answer> =
  | { readonly answer: Answer }
  | { readonly write: RecordDraft; readonly answered: () => Answer };

export interface Change<Answer> {
  readonly place: Place;
  /** Names the steps of it. */
  readonly operation?: SteppedOperation;
  /** Whether the journal is made where there is none; otherwise `missing` is the answer. */
  readonly create?: boolean;
  /** Whether the answer waits for the disk. @default true */
  readonly durable?: boolean;
  /** Whether what is gone is to leave the disk now. @default false */
  readonly erase?: boolean;
  readonly missing: () => Answer;
  /** Called again when others came first. */
  readonly decide: (journal: Journal, now: StoreTime) => Decision<Answer>;
}

/** Losing to others this often in a row means that something is wrong. */
const MAX_ATTEMPTS = 10_000;
/** After so many lost attempts a writer waits a moment, so that those who were slower get their turn. */
const PATIENT_ATTEMPTS = 8;

/** Scopes whose folder is remembered. */
const MAX_SCOPES = 1_000;

/** All journals of a store: opened when needed, kept open, moved on from when they end. */
export class Journals {
  readonly #options: JournalsOptions;
  readonly #cache: JournalCache;
  readonly #writer = createWriter();
  /** Joining paths would be a good part of a call. */
  readonly #scopeFolders = new Map<string, string>();

  constructor(options: JournalsOptions) {
    this.#options = options;
    this.#cache = new JournalCache(options.maxOpen);
  }

  folderOf({ scope, route }: Place): string {
    return `${this.scopeFolder(scope)}${sep}${route}`;
  }

  scopeFolder(scope: string): string {
    let folder = this.#scopeFolders.get(scope);
    if (folder === undefined) {
      folder = join(this.#options.directory, scopePath(scope), SESSIONS_FOLDER);
      if (this.#scopeFolders.size >= MAX_SCOPES) this.#scopeFolders.clear();
      this.#scopeFolders.set(scope, folder);
    }
    return folder;
  }

  /** What a journal says; the answer waits until what it rests on is on the disk. `use` must not keep the journal. */
  async read<Answer>(place: Place, use: (journal: Journal | undefined, now: StoreTime) => Answer): Promise<Answer> {
    const journal = this.#open(place, false);
    // The disk is asked first, and works while the answer is made.
    const synced = journal === undefined || journal.sync.isDone ? undefined : this.#synced(journal);
    synced?.catch(() => undefined);
    const answer = this.#guarded(place, () => use(journal, this.#options.now()));
    if (synced !== undefined) await synced;
    return answer;
  }

  /** Makes the record that `decide` asks for take effect, or answers what it answers. Repeats until one of them. */
  async change<Answer>(change: Change<Answer>): Promise<Answer> {
    const { place, operation, create = false, durable = true } = change;
    let stepped = operation === undefined || this.#options.onStep === undefined;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      if (attempt >= PATIENT_ATTEMPTS) await setTimeout(Math.random() * 4);
      const journal = this.#open(place, create);
      if (journal === undefined) return change.missing();
      // Until the disk has it, whoever makes room must not close the file.
      journal.users++;
      try {
        const decision = this.#guarded(place, () => change.decide(journal, this.#options.now()));
        if (!("answer" in decision) && !stepped) {
          // Others go on meanwhile, so it is decided again.
          await this.#step(operation, "before-write");
          stepped = true;
          continue;
        }
        const result = "answer" in decision ? decision : await this.#write(journal, decision, operation);
        if (result === undefined) continue;
        if (durable && !journal.sync.isDone) await journal.sync.done();
        if ("answer" in decision) return result.answer;
        await this.#step(operation, "synced");
        this.#tidy(place, journal, change.erase === true);
        return result.answer;
      } finally {
        this.#cache.release(journal);
      }
    }
    throw new AgentError(
      "UNAVAILABLE",
      `Other writers of ${this.folderOf(place)} came first ${MAX_ATTEMPTS} times in a row.`,
    );
  }

  /** Replays what is new, so that watchers hear of it. */
  refresh(place: Place): void {
    this.#open(place, false);
  }

  /** A journal for one look: it does not take the place of those in use. */
  peek<Answer>(place: Place, use: (journal: Journal | undefined) => Answer): Answer {
    const cached = this.#cache.has(this.folderOf(place));
    const journal = cached ? this.#open(place, false) : this.#openNew(place, false);
    try {
      return this.#guarded(place, () => use(journal));
    } finally {
      if (!cached) journal?.close();
    }
  }

  /** Waits for what is on its way to the disk, and closes every file. */
  async close(): Promise<void> {
    await this.#cache.clear();
  }

  #open(place: Place, create: boolean): Journal | undefined {
    const folder = this.folderOf(place);
    const cached = this.#cache.get(folder);
    if (cached !== undefined) {
      this.#guarded(place, () => cached.refresh());
      if (cached.tables.movedTo === undefined) return cached;
      this.#guarded(place, () => follow(cached, this.#options.durable));
      this.#cache.drop(folder);
    }
    const journal = this.#openNew(place, create);
    if (journal !== undefined) this.#cache.put(journal);
    return journal;
  }

  #openNew(place: Place, create: boolean): Journal | undefined {
    const { durable, changed } = this.#options;
    const folder = this.folderOf(place);
    // Most that is asked for in vain has no folder: an exception would cost more.
    if (!create && !existsSync(folder)) return undefined;
    return this.#guarded(place, () =>
      openJournal({
        folder,
        create,
        durable,
        writer: this.#writer,
        changed: (turn) => changed(place.scope, turn),
      }),
    );
  }

  async #write<Answer>(
    journal: Journal,
    { write, answered }: Extract<Decision<Answer>, { write: RecordDraft }>,
    operation: SteppedOperation | undefined,
  ): Promise<{ answer: Answer } | undefined> {
    let result: { answer: Answer } | undefined;
    const whenEffective = (): void => {
      result = { answer: answered() };
    };
    try {
      if (operation === undefined || this.#options.onStep === undefined) journal.append(write, whenEffective);
      else {
        const own = journal.encode(write);
        const half = own.line.length >> 1;
        journal.write(own.line.subarray(0, half));
        await this.#step(operation, "half-written");
        journal.writeRest(own.line.subarray(half));
        journal.finish(own, whenEffective, false);
        if (result !== undefined) await this.#step(operation, "written");
      }
    } catch (error) {
      this.#cache.drop(journal.folder);
      throw toFileError(error, journal.path);
    }
    return result;
  }

  async #synced(journal: Journal): Promise<void> {
    if (journal.sync.isDone) return;
    journal.users++;
    try {
      await journal.sync.done();
    } finally {
      this.#cache.release(journal);
    }
  }

  async #step(operation: SteppedOperation | undefined, moment: "before-write" | "half-written" | "written" | "synced") {
    if (operation !== undefined) await this.#options.onStep?.(`${operation}:${moment}`);
  }

  /** What was asked for is done by now, so a failure is none of the caller's; the next change tries again. */
  #tidy(place: Place, journal: Journal, erase: boolean): void {
    try {
      if (!erase && !isMostlyGarbage(journal)) return;
      const { now, durable } = this.#options;
      if (compactJournal(journal, { at: now(), durable })) this.#open(place, false);
    } catch {
      // The journal is as long as it was, and as good.
    }
  }

  #guarded<Answer>(place: Place, act: () => Answer): Answer {
    try {
      return act();
    } catch (error) {
      throw toFileError(error, this.folderOf(place));
    }
  }
}

/** Names a writer's records. Eight letters tell apart the writers of one journal. */
function createWriter(): { stamp(): string } {
  const name = randomBytes(5).toString("base64url").slice(0, 6);
  let count = 0;
  return { stamp: () => `${name}.${(count++).toString(36)}` };
}
