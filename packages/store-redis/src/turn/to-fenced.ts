import type { Fenced } from "@agents/schema/port";
import { type Reply, toTurnMeta } from "../record/script-reply.ts";

/** Of 1 or 0 and the row, where there is one. */
export function toFenced([ok, meta]: readonly Reply[]): Fenced {
  if (meta === undefined || meta === null) return { ok: false };
  return { ok: ok === 1, turn: toTurnMeta(meta) };
}
