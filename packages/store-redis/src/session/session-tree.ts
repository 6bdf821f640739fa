import { type Reply, toList } from "../record/script-reply.ts";
import { fromLetter } from "../record/status-letter.ts";

/** What retention looks at: the rows of a session, without their states and texts. */
export interface SessionTree {
  readonly lowOrdinal: number;
  readonly lastOrdinal: number;
  readonly headOrdinal: number;
  /** How often rows were dropped: a tree that is not the newest any more is told by it. */
  readonly drops: number;
  /** By ordinal. */
  readonly rows: readonly TreeRow[];
}

export interface TreeRow {
  readonly ordinal: number;
  /** 0 for a first turn. */
  readonly parentOrdinal: number;
  readonly status: NonNullable<ReturnType<typeof fromLetter>>;
  /** Milliseconds since it last changed, by the store's clock. */
  readonly ageMs: number;
  readonly kind: "full" | "patch" | "none";
  readonly waiting: boolean;
  /** How many events are stored. */
  readonly events: number;
}

const KIND: Readonly<Record<string, TreeRow["kind"]>> = { f: "full", p: "patch" };
const FIELDS = 7;

/** Of rows of seven numbers and letters, newest first. */
export function toTreeRows(reply: Reply | undefined): TreeRow[] {
  const flat = toList(reply);
  const rows: TreeRow[] = [];
  for (let at = 0; at < flat.length; at += FIELDS) {
    rows.push({
      ordinal: flat[at] as number,
      parentOrdinal: flat[at + 1] as number,
      status: fromLetter(flat[at + 2] as string) ?? "pending",
      ageMs: flat[at + 3] as number,
      kind: KIND[flat[at + 4] as string] ?? "none",
      waiting: flat[at + 5] === 1,
      events: flat[at + 6] as number,
    });
  }
  return rows.reverse();
}
