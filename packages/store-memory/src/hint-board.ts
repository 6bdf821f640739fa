import type { Caller } from "@agents/schema/port";

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
  readonly #scopes = new Map<string, Map<string, Set<Watcher>>>();
  #due: Watcher[] = [];

  /** How many entries watchers take up: 0 after the last one left. */
  get size(): number {
    let size = this.#scopes.size;
    for (const turns of this.#scopes.values()) for (const watchers of turns.values()) size += 1 + watchers.size;
    return size;
  }

  /** What it returns stops the hints, one already on its way included. Safe to repeat. */
  watch(caller: Caller, snapshotId: string, onHint: () => void): () => void {
    const watcher: Watcher = { caller, onHint, watching: true, due: false };
    const turns = entryOf(this.#scopes, caller.scope, () => new Map<string, Set<Watcher>>());
    entryOf(turns, snapshotId, () => new Set<Watcher>()).add(watcher);
    return () => this.#leave(snapshotId, watcher);
  }

  /** Tells the watchers of a turn, unless the turn does not exist for them. */
  raise(scope: string, snapshotId: string, maySee: (caller: Caller) => boolean): void {
    if (this.#scopes.size === 0) return;
    for (const watcher of this.#scopes.get(scope)?.get(snapshotId) ?? []) {
      if (watcher.due || !maySee(watcher.caller)) continue;
      watcher.due = true;
      if (this.#due.push(watcher) === 1) queueMicrotask(() => this.#deliver());
    }
  }

  clear(): void {
    for (const turns of this.#scopes.values()) {
      for (const watchers of turns.values()) for (const watcher of watchers) watcher.watching = false;
    }
    this.#scopes.clear();
  }

  #leave(snapshotId: string, watcher: Watcher): void {
    watcher.watching = false;
    const { scope } = watcher.caller;
    const turns = this.#scopes.get(scope);
    const watchers = turns?.get(snapshotId);
    if (turns === undefined || watchers === undefined) return;
    watchers.delete(watcher);
    if (watchers.size === 0) turns.delete(snapshotId);
    if (turns.size === 0) this.#scopes.delete(scope);
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

function entryOf<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
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
