import { AgentError } from "@agents/schema/error";
import { defineRecordFormat } from "@agents/schema/record";
import type { JournalRecord } from "./record.ts";

const FORMAT = defineRecordFormat({ what: "journal record of the file store", version: 1, migrations: {} });

export const RECORD_VERSION = FORMAT.version;

export interface RecordText {
  readonly version: number;
  readonly json: string;
  /** Names the place, for messages. */
  readonly where: () => string;
}

/** A record of any version up to ours. Throws FAILED_PRECONDITION for a newer one, DATA_LOSS for what is no record. */
export function readRecord({ version, json, where }: RecordText): JournalRecord {
  let record: unknown;
  try {
    record = JSON.parse(json);
  } catch (cause) {
    throw new AgentError("DATA_LOSS", `The record at ${where()} has the right checksum and is no JSON.`, { cause });
  }
  // Nearly all are ours, and a name for each place would cost as much as the record.
  return (version === FORMAT.version ? record : FORMAT.read(version, record, where())) as JournalRecord;
}
