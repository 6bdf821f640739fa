import type { Store } from "@agents/schema/port";
import { eventPart } from "./event-part.ts";
import { readHealth } from "./health.ts";
import { HintHub } from "./hint/hint-hub.ts";
import { indexPart } from "./index-part.ts";
import { type MigrateOptions, type MigrationReport, migrate } from "./migration/migrate.ts";
import { SchemaCheck } from "./migration/schema-check.ts";
import { openDatabase } from "./open-database.ts";
import { type PostgresStoreOptions, resolveOptions } from "./options.ts";
import { PostgresContext } from "./postgres-context.ts";
import { quoteName } from "./sql/quote.ts";
import { statementsOf } from "./statements.ts";
import { turnPart } from "./turn-part.ts";

/** A store with every part. */
export interface PostgresStore extends Required<Store> {
  /**
   * Brings the schema up to what this version of the package needs. Call it when a version is deployed, not when a process
   * starts: the database user then needs no right to change tables. Any number of processes may call it at once.
   */
  migrate(options?: MigrateOptions): Promise<MigrationReport>;
}

/**
 * Keeps sessions in Postgres, 13 or later. Connects at the first call; until `migrate()` was run on the schema, calls reject
 * with FAILED_PRECONDITION. Throws INVALID_ARGUMENT for options that cannot work.
 */
export function createPostgresStore(options: PostgresStoreOptions): PostgresStore {
  const resolved = resolveOptions(options);
  const schema = quoteName(resolved.schema);
  const statements = statementsOf(schema);
  const database = openDatabase(resolved);
  const hub: HintHub = new HintHub({
    database,
    notifications: resolved.notifications,
    delayMs: resolved.hintDelayMs,
    pollIntervalMs: resolved.pollIntervalMs,
    readVersions: (scopes, ids) => context.run(statements.versions, [scopes, ids]),
  });
  const check = new SchemaCheck(database);
  const context: PostgresContext = new PostgresContext({
    database,
    statements,
    schema,
    hints: hub,
    check,
    options: resolved,
  });
  let closing: Promise<void> | undefined;
  return {
    name: "postgres",
    turns: turnPart(context),
    events: eventPart(context),
    hints: {
      async watch(caller, snapshotId, onHint) {
        context.admit(caller);
        await context.facts();
        return await hub.watch(caller.scope, snapshotId, onHint);
      },
    },
    index: indexPart(context),
    health: async () => await readHealth(database, hub.isDeaf),
    migrate: async (migrateOptions) => await migrate(database, migrateOptions),
    close() {
      // The last hints go out, what runs is waited for, then the connections end.
      closing ??= hub.close().then(() => database.close());
      return closing;
    },
  };
}
