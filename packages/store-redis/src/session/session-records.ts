import type { Caller, CreateSession, SessionIndex, SessionMeta } from "@agents/schema/port";
import type { StoreContext } from "../context/store-context.ts";
import { optional, ownerArg } from "../record/script-args.ts";
import { toSessionMeta } from "../record/script-reply.ts";

export async function createSession(
  store: StoreContext,
  caller: Caller,
  { sessionId, agent, metadata, fingerprint }: CreateSession,
): ReturnType<SessionIndex["createSession"]> {
  const { key, index, tag } = store.keys.ofSession(caller.scope, sessionId);
  const args = [ownerArg(caller), sessionId, tag, agent, optional(fingerprint), optional(metadata)];
  const [type, session] = await store.run("createSession", [key, index], args);
  if (type === "conflict") return { type };
  return { type: type as "created" | "existing", session: toSessionMeta(session) };
}

export async function getSession(
  store: StoreContext,
  caller: Caller,
  sessionId: string,
): Promise<SessionMeta | undefined> {
  const found = await findSession(store, caller, sessionId);
  return typeof found === "string" ? undefined : found;
}

/** `hidden`: it is another owner's. */
export async function findSession(
  store: StoreContext,
  caller: Caller,
  sessionId: string,
): Promise<SessionMeta | "hidden" | "unknown"> {
  const { key, index } = store.keys.ofSession(caller.scope, sessionId);
  const [type, session] = await store.run("getSession", [key, index], [ownerArg(caller), sessionId]);
  return type === "hidden" || type === "unknown" ? type : toSessionMeta(session);
}

export interface SessionChange {
  readonly sessionId: string;
  readonly metadata?: string;
  readonly state?: SessionMeta["state"];
}

export async function updateSession(
  store: StoreContext,
  caller: Caller,
  { sessionId, metadata, state }: SessionChange,
): Promise<SessionMeta | undefined> {
  const { key, index } = store.keys.ofSession(caller.scope, sessionId);
  const args = [ownerArg(caller), sessionId, optional(state && STATE_LETTER[state]), optional(metadata)];
  const [type, session] = await store.run("updateSession", [key, index], args);
  return type === "unknown" ? undefined : toSessionMeta(session);
}

/** As the scripts have it: open, and archived, to be read only. */
export const STATE_LETTER = { active: "o", archived: "r" } as const satisfies Record<SessionMeta["state"], string>;

export async function deleteSession(store: StoreContext, caller: Caller, sessionId: string): Promise<boolean> {
  const { key, index } = store.keys.ofSession(caller.scope, sessionId);
  const [deleted] = await store.run("deleteSession", [key, index], [ownerArg(caller), sessionId]);
  return deleted === 1;
}
