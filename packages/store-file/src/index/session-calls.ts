import type { Caller, CreateSession, SessionMeta } from "@agents/schema/port";
import { ColumnDraft } from "../record/record-draft.ts";
import { findSession, maySee } from "../session/find-row.ts";
import { toSessionMeta } from "../session/meta.ts";
import type { Tables } from "../session/tables.ts";
import { type StoreFiles, sessionPlace } from "../turn/store-files.ts";

export type Created =
  | { readonly type: "created" | "existing"; readonly session: SessionMeta }
  | { readonly type: "conflict" };

export function createSession(files: StoreFiles, caller: Caller, asked: CreateSession): Promise<Created> {
  const { sessionId, agent, metadata, fingerprint } = asked;
  const { owner } = caller;
  return files.journals.change<Created>({
    place: sessionPlace(caller, sessionId),
    create: true,
    missing: () => ({ type: "conflict" }),
    decide({ tables }, now) {
      const existing = tables.sessions.get(sessionId);
      if (existing !== undefined) {
        const same = maySee(caller, existing) && existing.fingerprint === fingerprint;
        return { answer: same ? { type: "existing", session: toSessionMeta(existing) } : { type: "conflict" } };
      }
      const session = {
        id: sessionId,
        agent,
        ...(owner !== undefined && { owner }),
        ...(fingerprint !== undefined && { fingerprint }),
        ...(metadata !== undefined && { metadata }),
      };
      return {
        write: { record: { t: "create", at: now, s: tables.nextSession, session }, columns: new ColumnDraft() },
        answered: () => ({ type: "created", session: metaNow(tables, sessionId) }),
      };
    },
  });
}

export function getSession(files: StoreFiles, caller: Caller, sessionId: string): Promise<SessionMeta | undefined> {
  return files.journals.read(sessionPlace(caller, sessionId), (journal) => {
    const session = journal && findSession(journal.tables, caller, sessionId);
    return session && toSessionMeta(session);
  });
}

export interface SessionChange {
  readonly sessionId: string;
  readonly metadata?: string;
  readonly state?: SessionMeta["state"];
}

export function updateSession(
  files: StoreFiles,
  caller: Caller,
  { sessionId, metadata, state }: SessionChange,
): Promise<SessionMeta | undefined> {
  return files.journals.change<SessionMeta | undefined>({
    place: sessionPlace(caller, sessionId),
    missing: () => undefined,
    decide({ tables }, now) {
      const session = findSession(tables, caller, sessionId);
      if (session === undefined) return { answer: undefined };
      const record = {
        t: "update",
        at: now,
        s: session.number,
        ...(metadata !== undefined && { metadata }),
        ...(state !== undefined && { state }),
      } as const;
      return { write: { record, columns: new ColumnDraft() }, answered: () => toSessionMeta(session) };
    },
  });
}

/** Leaves an empty journal: whoever has the old one open is led there, and finds nothing. */
export function deleteSession(files: StoreFiles, caller: Caller, sessionId: string): Promise<boolean> {
  return files.journals.change<boolean>({
    place: sessionPlace(caller, sessionId),
    erase: true,
    missing: () => false,
    decide({ tables }, now) {
      const session = findSession(tables, caller, sessionId);
      if (session === undefined) return { answer: false };
      const record = { t: "delete", at: now, s: session.number } as const;
      return { write: { record, columns: new ColumnDraft() }, answered: () => true };
    },
  });
}

function metaNow(tables: Tables, sessionId: string): SessionMeta {
  const session = tables.sessions.get(sessionId);
  if (session === undefined) throw new Error(`Session ${sessionId} was made and is not there.`);
  return toSessionMeta(session);
}
