import { AgentError } from "@agents/schema/error";
import { defineRecordFormat } from "@agents/schema/record";
import { decodeText } from "../text/text.ts";

export type StoredFields = Readonly<Record<string, unknown>> & { readonly format: number };

/** Of a row, in its column `format`. A change that older rows must be read through gets the next number and a migration. */
const FORMAT = defineRecordFormat({ what: "a row of the Postgres store", version: 1, migrations: {} });

/**
 * A row's JSON as a plain object without what is null, in the present format. Throws FAILED_PRECONDITION for a row that a
 * newer version wrote, DATA_LOSS for one that does not decode.
 */
export function readStoredJson(json: string | null | undefined): StoredFields {
  const row = parse(json);
  const fields = FORMAT.read(row.format, row, `row ${String(row.snapshotId ?? row.sessionId)}`) as StoredFields;
  const kept: Record<string, unknown> = {};
  for (const name in fields) {
    const value = fields[name];
    if (value !== null && name !== "format") kept[name] = value;
  }
  return kept as StoredFields;
}

function parse(json: string | null | undefined): StoredFields {
  try {
    // Escaped texts are rare: whether there may be one is seen before any is looked at.
    return JSON.parse(json ?? "", json?.includes("\\u0001") === true ? decodeValue : undefined) as StoredFields;
  } catch (cause) {
    throw new AgentError("DATA_LOSS", "Postgres store: a row does not decode.", { cause });
  }
}

function decodeValue(_: string, value: unknown): unknown {
  return typeof value === "string" ? decodeText(value) : value;
}
