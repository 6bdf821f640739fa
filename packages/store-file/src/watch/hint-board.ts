import type { Caller } from "@agents/schema/port";
import { maySee } from "../session/find-row.ts";
import type { TurnRow } from "../session/tables.ts";

interface Watcher {
  readonly caller: Caller;
  readonly onHint: () => unknown;
  watching: boolean;
  /** A hint is on its way: further changes ride with it. */
  due: boolean;
}

/**
 * Who wants to look again, and at what. A hint goes out in a microtask, after the writer is done, once for all changes
 * until then; what an `onHint` throws is dropped, because the writer has no part in it.
 */
export class HintBoard {
  /** By scope and snapshot id. */
  readonly #watchers = new Map<string, Set<Watcher>>();
  #due: Watcher[] = [];

  /** What it returns stops the hints, one already on its way included. Safe to repeat. */
  watch(caller: Caller, snapshotId: string, onHint: () => void): () => void {
    const watcher: Watcher = { caller, onHint, watching: true, due: false };
    const key = keyOf(caller.scope, snapshotId);
    const watchers = this.#watchers.get(key) ?? new Set();
    this.#watchers.set(key, watchers.add(watcher));
    return () => {
      watcher.watching = false;
      watchers.delete(watcher);
      if (watchers.size === 0 && this.#watchers.get(key) === watchers) this.#watchers.delete(key);
    };
  }

  /** Tells the watchers of a turn, unless the turn does not exist for them. */
  raise(scope: string, { snapshotId, session }: TurnRow): void {
    if (this.#watchers.size === 0) return;
    for (const watcher of this.#watchers.get(keyOf(scope, snapshotId)) ?? []) {
      if (watcher.due || !maySee(watcher.caller, session)) continue;
      watcher.due = true;
      if (this.#due.push(watcher) === 1) queueMicrotask(() => this.#deliver());
    }
  }

  clear(): void {
    for (const watchers of this.#watchers.values()) for (const watcher of watchers) watcher.watching = false;
    this.#watchers.clear();
  }

  #deliver(): void {
    const due = this.#due;
    this.#due = [];
    for (const watcher of due) {
      // Before the call: a hint that leads to a write raises the next one.
      watcher.due = false;
      if (watcher.watching) callQuietly(watcher.onHint);
    }
  }
}

/** Snapshot ids have no spaces. */
function keyOf(scope: string, snapshotId: string): string {
  return `${snapshotId} ${scope}`;
}

function callQuietly(onHint: () => unknown): void {
  try {
    const answer = onHint();
    // An async function fits the type too, and would end the process by its unhandled rejection.
    if (answer instanceof Promise) answer.catch(() => undefined);
  } catch {
    // The watcher's own failure.
  }
}
