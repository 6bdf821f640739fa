import type { Journal } from "./journal.ts";

/** Journals that stay open and replayed, the least recently used closed first. */
export class JournalCache {
  readonly #journals = new Map<string, Journal>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  get(folder: string): Journal | undefined {
    const journal = this.#journals.get(folder);
    if (journal === undefined) return undefined;
    this.#journals.delete(folder);
    this.#journals.set(folder, journal);
    return journal;
  }

  has(folder: string): boolean {
    return this.#journals.has(folder);
  }

  put(journal: Journal): void {
    this.#journals.set(journal.folder, journal);
    for (const [folder, oldest] of this.#journals) {
      if (this.#journals.size <= this.#most) return;
      if (oldest !== journal && isIdle(oldest)) this.drop(folder);
    }
  }

  /** Closed at once, or by its last user. */
  drop(folder: string): void {
    const journal = this.#journals.get(folder);
    this.#journals.delete(folder);
    if (journal !== undefined && isIdle(journal)) journal.close();
  }

  /** To be called by whoever stops using a journal. */
  release(journal: Journal): void {
    journal.users--;
    if (isIdle(journal) && this.#journals.get(journal.folder) !== journal) journal.close();
  }

  /** Closes all of them, once the disk has what is on its way to it. */
  async clear(): Promise<void> {
    const journals = [...this.#journals.values()];
    for (const { folder } of journals) this.drop(folder);
    // Whoever waits for the disk learns of a failure; here it is only waited for.
    await Promise.allSettled(journals.filter(({ isClosed }) => !isClosed).map(({ sync }) => sync.done()));
  }
}

function isIdle({ users }: Journal): boolean {
  return users === 0;
}
