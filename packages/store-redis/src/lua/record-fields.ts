/**
 * Places of a record's fields. Scripts say `turn.status`, and what the server runs says `turn[14]`: records are packed
 * lists, and a table with names would have to be made of each, and taken apart again.
 */
const BOTH = ["tag", "agent", "owner", "fingerprint", "created_at", "updated_at", "waiting"] as const;

const TURN = [
  "session",
  "slot",
  "ordinal",
  "parent",
  "parent_ordinal",
  "trunk",
  "status",
  "version",
  "epoch",
  "last_seq",
  "marks",
  "logged",
  "writer",
  "replaced",
  "lease_until",
  "heartbeat_at",
  "result",
  "resumable",
  "kind",
  "figures",
] as const;

const SESSION = [
  "state",
  "last_ordinal",
  "low_ordinal",
  "head",
  "head_ordinal",
  "active",
  "forked",
  "newest_c",
  "newest_f",
  "newest_a",
  "live",
  "changes",
  "drops",
] as const;

/** Behind the others, and never stored: the field's own name, and what is to be done about the row. */
const TRANSIENT = ["id", "changed", "hinted"] as const;

type Field = (typeof BOTH | typeof TURN | typeof SESSION | typeof TRANSIENT)[number];

export const PLACE = Object.fromEntries([
  ...placed(BOTH, 1),
  ...placed(SESSION, BOTH.length + 1),
  ...placed(TURN, BOTH.length + 1),
  ...placed(TRANSIENT, BOTH.length + TURN.length + 1),
]) as Readonly<Record<Field, number>>;

const LIBRARIES = "string|table|math|redis|cmsgpack";
const FIELD = new RegExp(`\\b(?!(?:${LIBRARIES})\\.)(\\w+)\\.(${Object.keys(PLACE).join("|")})\\b`, "g");

/** The script with places instead of names. */
export function placeFields(source: string): string {
  return source.replace(FIELD, (_, table: string, field: Field) => `${table}[${PLACE[field]}]`);
}

function placed(fields: readonly Field[], first: number): [Field, number][] {
  return fields.map((field, index) => [field, first + index]);
}
