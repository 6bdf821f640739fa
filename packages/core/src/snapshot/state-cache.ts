import type { StoredState } from "./encode-state.ts";

/**
 * A state that this process has. Whoever tells a store that it holds one keeps this until the answer is there: the cache
 * may have let go of it by then.
 */
export interface HeldState<Custom = unknown> {
  readonly snapshotId: string;
  readonly stored: StoredState<Custom>;
}

export interface StateCache {
  /** The state of a snapshot, if this process still holds it. */
  get(scope: string, snapshotId: string): HeldState | undefined;
  /** The newest snapshot of a session that is held: what a send to the session most likely continues from. */
  newestOf(scope: string, sessionId: string): HeldState | undefined;
  put(scope: string, snapshotId: string, stored: StoredState): void;
}

interface Entry extends HeldState {
  /** Of the other map. */
  readonly key: string;
}

/**
 * Remembers the newest states that this process stored or loaded, so that a turn does not load what its process still
 * has. Bounded: the least recently used go first. A session keeps one state here, its newest: an older one shares all
 * but a list of messages with it, and is loaded again when somebody branches from it.
 */
export function createStateCache({ maxSessions }: { maxSessions: number }): StateCache {
  const sessions = new Map<string, Entry>();
  const sessionOf = new Map<string, string>();
  const keyOf = (scope: string, id: string) => `${scope.length}:${scope}${id}`;

  function forget(session: string): void {
    const entry = sessions.get(session);
    if (entry === undefined) return;
    sessions.delete(session);
    sessionOf.delete(entry.key);
  }

  function use(session: string): HeldState | undefined {
    const entry = sessions.get(session);
    if (entry === undefined) return undefined;
    sessions.delete(session);
    sessions.set(session, entry);
    return entry;
  }

  return {
    get(scope, snapshotId) {
      const session = sessionOf.get(keyOf(scope, snapshotId));
      return session === undefined ? undefined : use(session);
    },
    newestOf: (scope, sessionId) => use(keyOf(scope, sessionId)),
    put(scope, snapshotId, stored) {
      const session = keyOf(scope, stored.state.sessionId);
      const key = keyOf(scope, snapshotId);
      forget(session);
      sessions.set(session, { snapshotId, stored, key });
      sessionOf.set(key, session);
      if (sessions.size > maxSessions) forget(sessions.keys().next().value as string);
    },
  };
}
