import { AgentError } from "@agents/schema/error";
import type { Caller, CreateSession, Page, PageOf, SessionIndex } from "@agents/schema/port";
import { referencePrune } from "./reference-prune.ts";
import { findSession, isVisible, metaOf, type ReferenceRows, type SessionRow, turnsOf } from "./reference-rows.ts";
import { referenceExport, referenceImport } from "./reference-transfer.ts";

export function referenceIndex(rows: ReferenceRows): SessionIndex {
  return {
    createSession: async (caller, session) => createSession(rows, caller, session),
    getSession: async (caller, sessionId) => findSession(rows, caller, sessionId)?.meta,
    async listSessions(caller, page) {
      const sessions = rows.sessions
        .filter((row) => isVisible(caller, row) && matches(row, page))
        .map(({ meta }) => meta)
        .sort((a, b) => b.updatedAt - a.updatedAt || (a.sessionId < b.sessionId ? -1 : 1));
      return pageOf(sessions, page, ({ sessionId }) => sessionId);
    },
    async listTurns(caller, sessionId, page) {
      const session = findSession(rows, caller, sessionId);
      const turns = session === undefined ? [] : turnsOf(rows, session).reverse();
      return pageOf(
        turns.map((row) => metaOf(rows, row)),
        page,
        ({ snapshotId }) => snapshotId,
      );
    },
    async updateSession(caller, sessionId, change) {
      const session = findSession(rows, caller, sessionId);
      if (session === undefined) return undefined;
      session.meta = { ...session.meta, ...change, updatedAt: rows.now() };
      return session.meta;
    },
    async deleteSession(caller, sessionId) {
      const session = findSession(rows, caller, sessionId);
      if (session === undefined) return false;
      const turns = turnsOf(rows, session);
      rows.sessions = rows.sessions.filter((row) => row !== session);
      rows.turns = rows.turns.filter((row) => !turns.includes(row));
      for (const turn of turns) rows.changed(turn);
      return true;
    },
    async prune(caller, sessionId, rule, limit) {
      const session = findSession(rows, caller, sessionId);
      return session === undefined ? { dropped: 0, more: false } : referencePrune(rows, session, rule, limit);
    },
    exportSession: async (caller, sessionId) => referenceExport(rows, caller, sessionId),
    importSession: async (caller, record) => referenceImport(rows, caller, record),
  };
}

function matches({ meta }: SessionRow, { agent, state }: Parameters<SessionIndex["listSessions"]>[1]): boolean {
  return (agent === undefined || meta.agent === agent) && (state === undefined || meta.state === state);
}

function createSession(
  rows: ReferenceRows,
  caller: Caller,
  { fingerprint, ...session }: CreateSession,
): Awaited<ReturnType<SessionIndex["createSession"]>> {
  const existing = rows.sessions.find((row) => row.scope === caller.scope && row.meta.sessionId === session.sessionId);
  if (existing !== undefined) {
    const same = existing.fingerprint === fingerprint && isVisible(caller, existing);
    return same ? { type: "existing", session: existing.meta } : { type: "conflict" };
  }
  const now = rows.now();
  const owner = caller.owner === undefined ? {} : { owner: caller.owner };
  const meta = { ...session, ...owner, state: "active" as const, createdAt: now, updatedAt: now };
  rows.sessions.push({ scope: caller.scope, meta, fingerprint, lastOrdinal: 0, forked: false });
  return { type: "created", session: meta };
}

const CURSOR = /^after:(.*)$/s;

/** The cursor names the last item of the page before. */
function pageOf<Item>(items: readonly Item[], { cursor, limit }: Page, idOf: (item: Item) => string): PageOf<Item> {
  const last = cursor === undefined ? undefined : CURSOR.exec(cursor)?.[1];
  if (cursor !== undefined && last === undefined) {
    throw new AgentError("INVALID_ARGUMENT", `${JSON.stringify(cursor)} is no cursor of this store.`);
  }
  const start = last === undefined ? 0 : items.findIndex((item) => idOf(item) === last) + 1;
  const page = items.slice(start, start + limit);
  const end = page.at(-1);
  return end === undefined || start + limit >= items.length
    ? { items: page }
    : { items: page, cursor: `after:${idOf(end)}` };
}
