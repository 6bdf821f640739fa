import { createHash } from "node:crypto";
import { tables } from "./0001-tables.ts";
import { turnFunctions } from "./0002-turn-functions.ts";
import { sessionFunctions } from "./0003-session-functions.ts";
import type { Migration } from "./migration.ts";

/** All there are, in order. */
export const MIGRATIONS: readonly Migration[] = [tables, turnFunctions, sessionFunctions];

/** What this package needs. */
export const NEEDED_VERSION = MIGRATIONS.length;

/** The same for every schema's name. */
export function checksumOf(migration: Migration): string {
  return createHash("sha256").update(migration.sql('"schema"')).digest("hex");
}
