import type { Caller, CreateSession, SessionMeta } from "@agents/schema/port";
import { findSession, maySee } from "./caller-access.ts";
import { makeRoomForSession } from "./eviction.ts";
import { toSessionMeta } from "./session-meta.ts";
import { insertSession, removeSession, sessionChanged } from "./session-table.ts";
import type { Tables } from "./tables.ts";

export function createSession(
  tables: Tables,
  caller: Caller,
  asked: CreateSession,
): { type: "created" | "existing"; session: SessionMeta } | { type: "conflict" } {
  const { sessionId, agent, metadata, fingerprint } = asked;
  const existing = tables.scopes.get(caller.scope)?.sessions.get(sessionId);
  if (existing !== undefined) {
    const same = maySee(caller, existing) && existing.fingerprint === fingerprint;
    return same ? { type: "existing", session: toSessionMeta(existing) } : { type: "conflict" };
  }
  makeRoomForSession(tables);
  const { scope, owner } = caller;
  const now = tables.clock.now();
  const session = insertSession(tables, { scope, sessionId, agent, owner, fingerprint, metadata, now });
  sessionChanged(tables, session, now);
  return { type: "created", session: toSessionMeta(session) };
}

export function getSession(tables: Tables, caller: Caller, sessionId: string): SessionMeta | undefined {
  const session = findSession(tables, caller, sessionId);
  return session && toSessionMeta(session);
}

export interface SessionChange {
  readonly sessionId: string;
  readonly metadata?: string;
  readonly state?: SessionMeta["state"];
}

export function updateSession(tables: Tables, caller: Caller, change: SessionChange): SessionMeta | undefined {
  const session = findSession(tables, caller, change.sessionId);
  if (session === undefined) return undefined;
  session.metadata = change.metadata ?? session.metadata;
  session.state = change.state ?? session.state;
  sessionChanged(tables, session, tables.clock.now());
  return toSessionMeta(session);
}

export function deleteSession(tables: Tables, caller: Caller, sessionId: string): boolean {
  const session = findSession(tables, caller, sessionId);
  if (session === undefined) return false;
  removeSession(tables, session);
  return true;
}
