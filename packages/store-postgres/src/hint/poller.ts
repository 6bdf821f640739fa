import type { Row } from "../database/statement.ts";
import type { Watch, WatchList } from "./watch-list.ts";

export interface PollerOptions {
  readonly watches: WatchList;
  readonly intervalMs: number;
  /** Versions of turns, by their place in the lists. */
  readonly readVersions: (scopes: readonly string[], ids: readonly string[]) => Promise<readonly Row[]>;
}

/** Asks how often what is watched has changed, all of it in one query; runs only where nothing listens and somebody watches. */
export class Poller {
  readonly #options: PollerOptions;
  readonly #seen = new Map<string, string>();
  #timer: NodeJS.Timeout | undefined;
  #isOn = false;

  constructor(options: PollerOptions) {
    this.#options = options;
  }

  /** What has changed before the first look is not known, so that one hints everybody who has no look of their own. */
  start(): void {
    if (this.#isOn) return;
    this.#isOn = true;
    this.#later();
  }

  stop(): void {
    this.#isOn = false;
    clearTimeout(this.#timer);
    this.#seen.clear();
  }

  /** From here on changes of this turn are noticed. */
  async look({ key, scope, snapshotId }: Watch): Promise<void> {
    if (this.#seen.has(key)) return;
    const [row] = await this.#options.readVersions([scope], [snapshotId]);
    if (!this.#seen.has(key)) this.#seen.set(key, versionOf(row));
  }

  #later(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#poll(), this.#options.intervalMs);
  }

  async #poll(): Promise<void> {
    const { watches, readVersions } = this.#options;
    const watched = [...watches.turns()];
    if (watched.length === 0) {
      this.stop();
      return;
    }
    try {
      const rows = await readVersions(
        watched.map(({ scope }) => scope),
        watched.map(({ snapshotId }) => snapshotId),
      );
      const byPlace = new Map(rows.map((row) => [Number(row[0]) - 1, row]));
      for (const [place, { key }] of watched.entries()) this.#compare(key, versionOf(byPlace.get(place)));
    } catch {
      // The server is away: what changed meanwhile is seen when it is back.
    }
    if (this.#isOn) this.#later();
  }

  #compare(key: string, version: string): void {
    if (!this.#isOn) return;
    const before = this.#seen.get(key);
    this.#seen.set(key, version);
    if (before !== version) this.#options.watches.hint(key);
  }
}

/** Empty when there is no row. A row that was deleted and made again has another birth. */
function versionOf(row: Row | undefined): string {
  return row === undefined ? "" : `${row[1]} ${row[2]}`;
}
