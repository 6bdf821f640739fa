import { AgentError } from "@agents/schema/error";
import type { PruneRule, SessionIndex } from "@agents/schema/port";
import { exportSession } from "./export-session.ts";
import { importSession } from "./import-session.ts";
import { listSessions } from "./list-sessions.ts";
import { listTurns } from "./list-turns.ts";
import { refuseBadLimit } from "./page-cursor.ts";
import type { PostgresContext } from "./postgres-context.ts";
import { readSessionJson } from "./row/session-json.ts";
import { decodeText, encodeText } from "./text/text.ts";

export function indexPart(context: PostgresContext): SessionIndex {
  const { statements } = context;
  return {
    async createSession(caller, { sessionId, agent, metadata, fingerprint }) {
      const [row] = await context.run(statements.createSession, [
        ...context.admit(caller),
        encodeText(sessionId),
        encodeText(agent),
        optional(metadata),
        optional(fingerprint),
      ]);
      const [type, json] = row ?? [];
      if (type === "created" || type === "existing") return { type, session: readSessionJson(json) };
      return { type: "conflict" };
    },

    async getSession(caller, sessionId) {
      const [row] = await context.run(statements.getSession, [...context.admit(caller), encodeText(sessionId)]);
      return row && readSessionJson(row[0]);
    },

    listSessions: async (caller, page) => await listSessions(context, caller, page),
    listTurns: async (caller, sessionId, page) => await listTurns(context, caller, { ...page, sessionId }),

    async updateSession(caller, sessionId, { metadata, state }) {
      const values = [...context.admit(caller), encodeText(sessionId), optional(metadata), state ?? null];
      const [row] = await context.run(statements.updateSession, values);
      return row && readSessionJson(row[0]);
    },

    async deleteSession(caller, sessionId) {
      const rows = await context.run(statements.deleteSession, [...context.admit(caller), encodeText(sessionId)]);
      context.hints.raise(
        caller.scope,
        rows.slice(1).map(([, id]) => decodeText(id ?? "")),
      );
      return rows.length > 0;
    },

    async prune(caller, sessionId, rule, limit) {
      refuseBadRule(rule);
      refuseBadLimit(limit);
      const [row] = await context.run(statements.prune, [
        ...context.admit(caller),
        encodeText(sessionId),
        rule.keepLast ?? null,
        wholeMs(rule.olderThanMs),
        wholeMs(rule.eventsOlderThanMs),
        limit,
      ]);
      return { dropped: Number(row?.[1] ?? 0), more: row?.[2] === "true" };
    },

    exportSession: async (caller, sessionId) => await exportSession(context, caller, sessionId),
    importSession: async (caller, record) => await importSession(context, caller, record),
  };
}

function optional(text: string | undefined): string | null {
  return text === undefined ? null : encodeText(text);
}

function wholeMs(ms: number | undefined): number | null {
  return ms === undefined ? null : Math.min(Math.floor(ms), Number.MAX_SAFE_INTEGER);
}

function refuseBadRule({ keepLast, olderThanMs, eventsOlderThanMs }: PruneRule): void {
  const isEmpty = keepLast === undefined && olderThanMs === undefined && eventsOlderThanMs === undefined;
  const isBad = keepLast !== undefined && !(Number.isSafeInteger(keepLast) && keepLast >= 1);
  const isOdd = [olderThanMs, eventsOlderThanMs].some((ms) => ms !== undefined && !(ms >= 0));
  if (!isEmpty && !isBad && !isOdd) return;
  const rule = JSON.stringify({ keepLast, olderThanMs, eventsOlderThanMs });
  throw new AgentError(
    "INVALID_ARGUMENT",
    `A prune rule takes keepLast of at least 1, or an age of at least 0 ms, or both; this one is ${rule}.`,
  );
}
