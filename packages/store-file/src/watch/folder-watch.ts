import { existsSync, type FSWatcher, watch } from "node:fs";
import { dirname } from "node:path";
import type { Clock } from "@agents/schema/port";

export interface FolderWatchOptions {
  /** How often is looked without having been told; 0 for never. */
  readonly pollMs: number;
  readonly setTimer: Clock["setTimer"];
}

interface Watched {
  users: number;
  /** Something may have changed there. Its failures are for those who read. */
  look(): void;
  stop(): void;
}

/** Looks at folders that somebody watches: when the system tells of a change, and every `pollMs` in case it did not. */
export class FolderWatch {
  readonly #options: FolderWatchOptions;
  readonly #watched = new Map<string, Watched>();
  #cancelPoll: (() => void) | undefined;
  /** Set once the system refused to watch: it has limits. */
  failure: string | undefined;

  constructor(options: FolderWatchOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#watched.size;
  }

  /** What it returns ends it. Safe to repeat. */
  add(folder: string, look: () => void): () => void {
    const watched = this.#watched.get(folder) ?? this.#start(folder, look);
    watched.users++;
    let watching = true;
    return () => {
      if (!watching) return;
      watching = false;
      watched.users--;
      if (watched.users === 0) this.#end(folder, watched);
    };
  }

  clear(): void {
    for (const [folder, watched] of this.#watched) this.#end(folder, watched);
  }

  #start(folder: string, look: () => void): Watched {
    const watched: Watched = { users: 0, look: () => lookQuietly(look), stop: () => undefined };
    this.#watched.set(folder, watched);
    this.#attach(folder, watched);
    this.#cancelPoll ??= this.#poll();
    return watched;
  }

  #end(folder: string, watched: Watched): void {
    watched.stop();
    if (this.#watched.get(folder) === watched) this.#watched.delete(folder);
    if (this.#watched.size > 0) return;
    this.#cancelPoll?.();
    this.#cancelPoll = undefined;
  }

  /** A folder that is not there yet is awaited in the nearest one above it. */
  #attach(folder: string, watched: Watched): void {
    let at = folder;
    while (!existsSync(at) && dirname(at) !== at) at = dirname(at);
    let looking = false;
    const onChange = (): void => {
      // Many changes come at once: one look sees them all.
      if (looking) return;
      looking = true;
      setImmediate(() => {
        looking = false;
        if (this.#watched.get(folder) !== watched) return;
        if (at !== folder) {
          watched.stop();
          this.#attach(folder, watched);
        }
        watched.look();
      });
    };
    const watcher = this.#watch(at, onChange);
    watched.stop = () => watcher?.close();
    // Between the look for the folder and the watch, it may have been made.
    if (at !== folder && existsSync(folder)) onChange();
  }

  #watch(folder: string, onChange: () => void): FSWatcher | undefined {
    try {
      const watcher = watch(folder, { persistent: false }, onChange);
      watcher.on("error", (error) => {
        this.failure = error.message;
      });
      return watcher;
    } catch (error) {
      this.failure = error instanceof Error ? error.message : String(error);
      return undefined;
    }
  }

  #poll(): (() => void) | undefined {
    const { pollMs, setTimer } = this.#options;
    if (pollMs === 0) return undefined;
    return setTimer(pollMs, () => {
      this.#cancelPoll = this.#poll();
      for (const watched of [...this.#watched.values()]) watched.look();
    });
  }
}

/** Nobody waits for it; whoever reads next meets the same failure, and is told. */
function lookQuietly(look: () => void): void {
  try {
    look();
  } catch {
    // See above.
  }
}
