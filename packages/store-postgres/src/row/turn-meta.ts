import type { SessionMeta, TurnMeta } from "@agents/schema/port";
import { readStoredJson } from "./stored-json.ts";

/** The row as the server made it: its names are those of the port. */
export function turnMeta(json: string | null | undefined): TurnMeta {
  return readStoredJson(json) as unknown as TurnMeta;
}

export function sessionMeta(json: string | null | undefined): SessionMeta {
  return readStoredJson(json) as unknown as SessionMeta;
}
