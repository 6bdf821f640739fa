import type { StoredState } from "./encode-state.ts";

export interface StateCache {
  /** The state of a snapshot, if this process still holds it. */
  get(scope: string, snapshotId: string): StoredState | undefined;
  /** The newest snapshot of a session that is held: what a send to the session most likely continues from. */
  newestOf(scope: string, sessionId: string): string | undefined;
  put(scope: string, snapshotId: string, stored: StoredState): void;
  /** Forgets all of a session, after it was deleted. */
  drop(scope: string, sessionId: string): void;
}

/**
 * Remembers the newest states that this process stored or loaded, so that a turn does not load what its process still
 * has. Bounded: the least recently used go first. A session keeps one state here, its newest: an older one shares all
 * but a list of messages with it, and is loaded again when somebody branches from it.
 */
export function createStateCache({ maxSessions }: { maxSessions: number }): StateCache {
  const sessions = new Map<string, { snapshotId: string; stored: StoredState }>();
  const sessionOf = new Map<string, string>();
  const key = (scope: string, id: string) => `${scope.length}:${scope}${id}`;

  function forget(session: string): void {
    const held = sessions.get(session);
    if (held === undefined) return;
    sessions.delete(session);
    sessionOf.delete(held.snapshotId);
  }

  return {
    get(scope, snapshotId) {
      const session = sessionOf.get(key(scope, snapshotId));
      const held = session === undefined ? undefined : sessions.get(session);
      if (session === undefined || held === undefined) return undefined;
      sessions.delete(session);
      sessions.set(session, held);
      return held.stored;
    },
    newestOf(scope, sessionId) {
      return sessions.get(key(scope, sessionId))?.snapshotId.slice(key(scope, "").length);
    },
    put(scope, snapshotId, stored) {
      const session = key(scope, stored.state.sessionId);
      forget(session);
      sessions.set(session, { snapshotId: key(scope, snapshotId), stored });
      sessionOf.set(key(scope, snapshotId), session);
      if (sessions.size > maxSessions) forget(sessions.keys().next().value as string);
    },
    drop(scope, sessionId) {
      forget(key(scope, sessionId));
    },
  };
}
