import { AgentError } from "../error/index.ts";

export interface RecordFormatOptions {
  /** Names the record in messages: "journal record of the file store". */
  readonly what: string;
  /** The version that is written. Versions count from 1. */
  readonly version: number;
  /** By version: makes a record of that version one of the next. Every version below `version` has one. */
  readonly migrations: Readonly<Record<number, (record: unknown) => unknown>>;
}

/** What a store writes, so that other versions of it can tell whether they understand it. */
export interface RecordFormat {
  readonly version: number;
  /**
   * The record as the present version has it; an older one is migrated. Throws FAILED_PRECONDITION for one that a newer
   * version wrote: it may mean what this one cannot know. Throws DATA_LOSS for a version that never was.
   *
   * @param where Names the place: a file, a key, a row.
   */
  read(version: unknown, record: unknown, where: string): unknown;
}

export function defineRecordFormat({ what, version, migrations }: RecordFormatOptions): RecordFormat {
  for (let old = 1; old < version; old++) {
    if (migrations[old] === undefined) throw new Error(`${what}: version ${old} has no migration to ${old + 1}.`);
  }
  return {
    version,
    read(found, record, where) {
      if (found === version) return record;
      if (typeof found !== "number" || !Number.isInteger(found) || found < 1) throw notAVersion(what, found, where);
      if (found > version) throw fromTheFuture({ what, version, found, where });
      let migrated = record;
      for (let old = found; old < version; old++) migrated = migrations[old]?.(migrated);
      return migrated;
    },
  };
}

function notAVersion(what: string, found: unknown, where: string): AgentError {
  return new AgentError(
    "DATA_LOSS",
    `${what} at ${where} has the version ${JSON.stringify(found)}, which never was. It was damaged, or is something else.`,
    { details: { where, found } },
  );
}

interface Future {
  readonly what: string;
  readonly version: number;
  readonly found: number;
  readonly where: string;
}

function fromTheFuture({ what, version, found, where }: Future): AgentError {
  return new AgentError(
    "FAILED_PRECONDITION",
    `${what} at ${where} has version ${found}; this package reads up to ${version}. Update the package that reads it.`,
    { details: { where, found, supported: version } },
  );
}
