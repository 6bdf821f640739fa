import type { Caller, Page, PageOf, SessionMeta } from "@agents/schema/port";
import type { StoreContext } from "../context/store-context.ts";
import { sweepSession } from "../context/sweep-index.ts";
import { CursorSeal, type ListPlace } from "../record/page-cursor.ts";
import { refuseBadLimit } from "../record/page-limit.ts";
import { type IndexEntry, mergeBuckets } from "./merge-buckets.ts";
import { findSession } from "./session-records.ts";

interface Wanted {
  readonly agent?: string;
  readonly state?: SessionMeta["state"];
}

/**
 * Newest change first, over all buckets. A page is two round trips, the entries and then their sessions, and two more for
 * each further look where few of the sessions are wanted.
 */
export async function listSessions(
  store: StoreContext,
  caller: Caller,
  { agent, state, cursor, limit }: Page & Wanted,
): Promise<PageOf<SessionMeta>> {
  refuseBadLimit(limit);
  const seal = new CursorSeal((await store.opened()).seal);
  const list = ["sessions", caller.scope, agent, state];
  let from: ListPlace | undefined = cursor === undefined ? undefined : seal.read(list, cursor);
  const found: { readonly entry: IndexEntry; readonly session: SessionMeta }[] = [];
  // Each look takes more than the last: a rare agent's sessions are few among many.
  for (let look = limit + 1; found.length <= limit; look = Math.min(look * 2, 1_000)) {
    const entries = await mergeBuckets(store, { scope: caller.scope, from, limit: look });
    const sessions = await Promise.all(entries.map(({ name }) => getListed(store, caller, name)));
    for (const [index, entry] of entries.entries()) {
      const session = sessions[index];
      if (session !== undefined && isWanted(session, { agent, state })) found.push({ entry, session });
    }
    from = entries.at(-1);
    if (entries.length < look) break;
  }
  const page = found.slice(0, limit);
  const items = page.map(({ session }) => session);
  const last = page.at(-1);
  if (last === undefined || found.length <= limit) return { items };
  return { items, cursor: seal.make(list, last.entry) };
}

/** An entry whose session expired goes from the index, too. */
async function getListed(store: StoreContext, caller: Caller, sessionId: string): Promise<SessionMeta | undefined> {
  const session = await findSession(store, caller, sessionId);
  if (session === "unknown") await sweepSession(store, caller.scope, sessionId);
  return typeof session === "string" ? undefined : session;
}

function isWanted(
  session: SessionMeta,
  { agent, state }: { [Field in keyof Wanted]: Wanted[Field] | undefined },
): boolean {
  return (agent ?? session.agent) === session.agent && (state ?? session.state) === session.state;
}
