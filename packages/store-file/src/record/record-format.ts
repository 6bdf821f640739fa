import { AgentError } from "@agents/schema/error";
import { defineRecordFormat } from "@agents/schema/record";
import type { JournalRecord } from "./record.ts";

const FORMAT = defineRecordFormat({ what: "journal record of the file store", version: 1, migrations: {} });

export const RECORD_VERSION = FORMAT.version;

/** A record of any version up to ours. Throws FAILED_PRECONDITION for a newer one, DATA_LOSS for what is no record. */
export function readRecord(version: unknown, json: string, where: string): JournalRecord {
  let record: unknown;
  try {
    record = JSON.parse(json);
  } catch (cause) {
    throw new AgentError("DATA_LOSS", `The record at ${where} has the right checksum and is no JSON.`, { cause });
  }
  return FORMAT.read(version, record, where) as JournalRecord;
}
