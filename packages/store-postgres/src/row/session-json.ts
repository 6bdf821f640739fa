import { AgentError } from "@agents/schema/error";
import type { SessionMeta } from "@agents/schema/port";
import { decodeText } from "../text/text.ts";
import { ROW_FORMAT } from "./row-format.ts";

type Stored = Readonly<Record<string, unknown>>;

/**
 * A row as `sessionJson` wrote it, without what is null. Throws FAILED_PRECONDITION for one that a newer version of this
 * package wrote, DATA_LOSS for one that does not decode.
 */
export function readSessionJson(json: string | null | undefined): SessionMeta {
  const row = parse(json);
  const fields = ROW_FORMAT.read(row.format, row, `session ${String(row.sessionId)}`) as Stored;
  const kept = Object.entries(fields).filter(([name, value]) => value !== null && name !== "format");
  return Object.fromEntries(kept) as unknown as SessionMeta;
}

function parse(json: string | null | undefined): Stored {
  try {
    return JSON.parse(json ?? "", decodeValue) as Stored;
  } catch (cause) {
    throw new AgentError("DATA_LOSS", "Postgres store: the row of a session does not decode.", { cause });
  }
}

function decodeValue(_: string, value: unknown): unknown {
  return typeof value === "string" ? decodeText(value) : value;
}
