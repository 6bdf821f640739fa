import type { SessionMeta } from "@agents/schema/port";
import type { SessionRow } from "./tables.ts";

/** The session at this moment, as a fresh object: what a caller holds never changes under it. */
export function toSessionMeta(session: SessionRow): SessionMeta {
  const meta: { -readonly [Field in keyof SessionMeta]: SessionMeta[Field] } = {
    sessionId: session.sessionId,
    agent: session.agent,
    state: session.state,
    createdAt: session.createdAt,
    updatedAt: session.updatedAt,
  };
  if (session.metadata !== undefined) meta.metadata = session.metadata;
  if (session.owner !== undefined) meta.owner = session.owner;
  if (session.head !== undefined) meta.headId = session.head.snapshotId;
  if (session.active !== undefined) meta.activeId = session.active.snapshotId;
  return meta;
}
