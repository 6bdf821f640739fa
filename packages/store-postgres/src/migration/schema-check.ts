import { AgentError } from "@agents/schema/error";
import type { Database } from "../database/database.ts";
import { notMigrated } from "../database/map-error.ts";
import { quoteName } from "../sql/quote.ts";
import { NEEDED_VERSION } from "./migrations.ts";

/** What a store learns about its schema before its first call. */
export interface SchemaFacts {
  /** Seals cursors, the same for all processes. */
  readonly cursorKey: string;
}

/** Asks once; a schema that does not fit is asked for again by the next call, since somebody may migrate it meanwhile. */
export class SchemaCheck {
  readonly #database: Database;
  #facts: Promise<SchemaFacts> | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Rejects with FAILED_PRECONDITION before `migrate()`, and for a schema that a newer version of this package changed in a
   * way that this one cannot work with.
   */
  passed(): Promise<SchemaFacts> {
    this.#facts ??= check(this.#database).catch((error: unknown) => {
      this.#facts = undefined;
      throw error;
    });
    return this.#facts;
  }
}

async function check(database: Database): Promise<SchemaFacts> {
  const schema = quoteName(database.schema);
  const text = `select max(m.version)::text, max(m.compatible_from)::text, current_setting('server_encoding'),
      (select s.value from ${schema}.setting s where s.name = 'cursor_key') from ${schema}.migration m`;
  const [row] = await database.run({ name: "check of the schema", text }, []);
  const [version, compatibleFrom, encoding, cursorKey] = row ?? [];
  if (Number(version) < NEEDED_VERSION || typeof cursorKey !== "string") {
    throw new AgentError("FAILED_PRECONDITION", `Postgres store: ${notMigrated(database.schema)}.`, {
      details: { schema: database.schema, version: Number(version), needed: NEEDED_VERSION },
    });
  }
  if (Number(compatibleFrom) > NEEDED_VERSION) {
    throw new AgentError(
      "FAILED_PRECONDITION",
      `The schema ${JSON.stringify(database.schema)} has version ${version}, which takes a package of version ${compatibleFrom} or later; this one knows ${NEEDED_VERSION}. Update @agents/store-postgres.`,
      { details: { schema: database.schema, version: Number(version), known: NEEDED_VERSION } },
    );
  }
  if (encoding !== "UTF8") {
    throw new AgentError(
      "FAILED_PRECONDITION",
      `The database has the encoding ${encoding}, which cannot hold every text; create one with UTF8.`,
      { details: { encoding } },
    );
  }
  return { cursorKey };
}
