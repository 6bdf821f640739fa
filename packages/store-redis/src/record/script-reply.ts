import { AgentError } from "@agents/schema/error";
import type { SessionMeta, StateChain, StateFigures, StateRow, TurnMeta } from "@agents/schema/port";
import { fromLetter } from "./status-letter.ts";

/** What the server sends: texts, whole numbers, null for what is absent, and lists of those. */
export type Reply = string | number | null | readonly Reply[];

/** In the order of `meta` in the scripts. */
export function toTurnMeta(reply: Reply | undefined): TurnMeta {
  const fields = toList(reply);
  const status = fromLetter(fields[5] as string);
  if (status === undefined) throw undecodable("a turn", fields[0]);
  const meta: { -readonly [Field in keyof TurnMeta]: TurnMeta[Field] } = {
    snapshotId: fields[0] as string,
    sessionId: fields[1] as string,
    agent: fields[2] as string,
    ordinal: fields[4] as number,
    status,
    stale: fields[6] === 1,
    version: fields[7] as number,
    epoch: fields[8] as number,
    lastSeq: fields[9] as number,
    createdAt: fields[12] as number,
    updatedAt: fields[13] as number,
  };
  if (fields[3] !== null) meta.parentId = fields[3] as string;
  if (fields[10] !== null) meta.result = fields[10] as string;
  if (fields[11] !== null) meta.owner = fields[11] as string;
  if (fields[14] !== null) meta.heartbeatAt = fields[14] as number;
  if (typeof fields[15] === "string") meta.state = toFigures(fields[15]);
  return meta;
}

/** In the order of `session_meta`. */
export function toSessionMeta(reply: Reply | undefined): SessionMeta {
  const fields = toList(reply);
  const meta: { -readonly [Field in keyof SessionMeta]: SessionMeta[Field] } = {
    sessionId: fields[0] as string,
    agent: fields[1] as string,
    state: fields[2] === "r" ? "archived" : "active",
    createdAt: fields[7] as number,
    updatedAt: fields[8] as number,
  };
  if (fields[3] !== null) meta.metadata = fields[3] as string;
  if (fields[4] !== null) meta.owner = fields[4] as string;
  if (fields[5] !== null) meta.headId = fields[5] as string;
  if (fields[6] !== null) meta.activeId = fields[6] as string;
  return meta;
}

/** Of an id that the caller holds and of rows of three: id, kind, text. */
export function toChain(held: Reply | undefined, rows: Reply | undefined): StateChain {
  const fields = toList(rows);
  const chain: StateRow[] = [];
  for (let at = 0; at < fields.length; at += 3) {
    const json = fields[at + 2];
    if (typeof json !== "string") throw undecodable("the state of a turn", fields[at]);
    chain.push({ snapshotId: fields[at] as string, kind: fields[at + 1] === "f" ? "full" : "patch", json });
  }
  return typeof held === "string" ? { knownId: held, rows: chain } : { rows: chain };
}

export function toList(reply: Reply | undefined): readonly Reply[] {
  if (Array.isArray(reply)) return reply;
  throw undecodable("an answer", typeof reply);
}

function toFigures(json: string): StateFigures {
  const [stateHash, messagesDigest, stateBytes, loadBytes, loadRows] = JSON.parse(json);
  return { stateHash, messagesDigest, stateBytes, loadBytes, loadRows };
}

function undecodable(what: string, which: unknown): AgentError {
  return new AgentError("DATA_LOSS", `The Redis store cannot read ${what} (${JSON.stringify(which)}): it was damaged.`);
}
