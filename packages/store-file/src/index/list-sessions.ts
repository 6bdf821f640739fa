import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { Caller, Page, PageOf, SessionMeta } from "@agents/schema/port";
import { isMissing, toFileError } from "../disk/file-error.ts";
import { journalName } from "../journal/journal-file.ts";
import { toSessionMeta } from "../session/meta.ts";
import { refuseBadLimit } from "../turn/limit.ts";
import type { StoreFiles } from "../turn/store-files.ts";
import { makeCursor, readCursor } from "./page-cursor.ts";

interface Wanted {
  readonly agent?: string;
  readonly state?: SessionMeta["state"];
}

/** Looks at every journal of the scope, by its size alone where it has not grown since the last list. */
export async function listSessions(
  files: StoreFiles,
  summaries: Summaries,
  { caller, agent, state, cursor, limit }: Page & Wanted & { readonly caller: Caller },
): Promise<PageOf<SessionMeta>> {
  refuseBadLimit(limit);
  const seal = { key: files.cursorKey, list: ["sessions", caller.scope, agent, state] };
  const after = cursor === undefined ? undefined : readCursor(seal, cursor);
  const sessions = (await allSessions(files, summaries, caller.scope))
    .filter((session) => isWanted(session, { agent, state }) && isVisible(caller, session))
    .filter((session) => after === undefined || comesAfter(session, after))
    .sort(newestFirst);
  const items = sessions.slice(0, limit);
  const last = items.at(-1);
  if (last === undefined || sessions.length <= limit) return { items };
  return { items, cursor: makeCursor(seal, [last.updatedAt, last.sessionId]) };
}

/** What journals said when they were looked at last, by folder. Derived, so it may be forgotten at any time. */
export type Summaries = Map<string, Summary>;

interface Summary {
  readonly generation: number;
  readonly size: number;
  readonly sessions: readonly SessionMeta[];
}

/** Most journals that are remembered. */
const MAX_SUMMARIES = 50_000;
/** So many journals are looked at before others get their turn. */
const AT_ONCE = 64;

async function allSessions(files: StoreFiles, summaries: Summaries, scope: string): Promise<SessionMeta[]> {
  const folder = files.journals.scopeFolder(scope);
  const sessions: SessionMeta[] = [];
  for (const [index, route] of routesIn(folder).entries()) {
    if (index % AT_ONCE === AT_ONCE - 1) await setImmediate();
    sessions.push(...summaryOf(files, summaries, { scope, route }).sessions);
  }
  return sessions;
}

const ROUTE = /^[0-9a-f]{8}$/;

function routesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => ROUTE.test(name));
  } catch (error) {
    if (isMissing(error)) return [];
    throw toFileError(error, folder);
  }
}

function summaryOf(files: StoreFiles, summaries: Summaries, place: { scope: string; route: string }): Summary {
  const folder = files.journals.folderOf(place);
  const known = summaries.get(folder);
  if (known !== undefined && sizeOf(folder, known.generation) === known.size) return known;
  const summary = files.journals.peek(place, (journal): Summary => {
    if (journal === undefined) return { generation: 0, size: 0, sessions: [] };
    const sessions = [...journal.tables.sessions.values()].map(toSessionMeta);
    return { generation: journal.generation, size: journal.size, sessions };
  });
  if (summaries.size >= MAX_SUMMARIES) summaries.clear();
  summaries.set(folder, summary);
  return summary;
}

/** Undefined when the journal has moved on. */
function sizeOf(folder: string, generation: number): number | undefined {
  const stat = statSync(join(folder, journalName(generation)), { throwIfNoEntry: false });
  return stat?.size;
}

function isWanted(session: SessionMeta, { agent, state }: { [Field in keyof Wanted]: Wanted[Field] | undefined }) {
  return (agent ?? session.agent) === session.agent && (state ?? session.state) === session.state;
}

function isVisible(caller: Caller, { owner }: SessionMeta): boolean {
  return caller.owner === undefined || owner === undefined || owner === caller.owner;
}

function newestFirst(one: SessionMeta, other: SessionMeta): number {
  return other.updatedAt - one.updatedAt || (one.sessionId < other.sessionId ? -1 : 1);
}

function comesAfter({ updatedAt, sessionId }: SessionMeta, [time = 0, id = ""]: readonly (number | string)[]): boolean {
  return updatedAt < Number(time) || (updatedAt === time && sessionId > String(id));
}
