import { createHash } from "node:crypto";
import { AgentError } from "@agents/schema/error";
import type { Database, TransactionQuery } from "../database/database.ts";
import { quoteName } from "../sql/quote.ts";
import type { Migration } from "./migration.ts";
import { checksumOf, MIGRATIONS } from "./migrations.ts";

export interface MigrateOptions {
  /** Change nothing, and say what would be run. @default false */
  dryRun?: boolean;
}

export interface MigrationReport {
  /** Of the schema before, 0 when there was none. */
  readonly from: number;
  /** Of the schema after, or with `dryRun` what it would be. */
  readonly to: number;
  /** What was run, or would be. Empty when there is nothing to do. */
  readonly sql: string;
}

interface Applied {
  readonly version: number;
  readonly checksum: string;
}

/**
 * Brings the schema up to what this package needs, in one transaction: all of it or nothing. Whoever comes second waits, and
 * finds nothing to do. Throws FAILED_PRECONDITION for a migration that was changed after it was applied.
 */
export async function migrate(database: Database, { dryRun = false }: MigrateOptions = {}): Promise<MigrationReport> {
  const schema = quoteName(database.schema);
  return await database.transaction("migrate", async (query) => {
    await query("set local statement_timeout = 0");
    await query("select pg_advisory_xact_lock($1::bigint)", [lockOf(database.schema)]);
    const applied = await appliedIn(query, database.schema, schema);
    refuseChanged(applied, database.schema);
    const from = applied.at(-1)?.version ?? 0;
    const pending = MIGRATIONS.filter(({ version }) => version > from);
    const sql = [
      ...(applied.length === 0 ? await foundation(query, database.schema) : []),
      ...pending.map((migration) => sqlOf(migration, schema)),
    ];
    // The driver sends a text without values as a script, which may hold many statements.
    if (!dryRun) for (const script of sql) await query(script);
    return { from, to: Math.max(from, MIGRATIONS.length), sql: sql.join("\n") };
  });
}

/** In force until the transaction ends, also behind a transaction pooler. */
function lockOf(schema: string): string {
  return createHash("sha256").update(`agents migrate ${schema}`).digest().readBigInt64BE(0).toString();
}

async function appliedIn(query: TransactionQuery, name: string, schema: string): Promise<Applied[]> {
  const [there] = await query(
    "select 1 from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace where n.nspname = $1 and c.relname = 'migration'",
    [name],
  );
  if (there === undefined) return [];
  const rows = await query(`select version::text, checksum from ${schema}.migration order by version`);
  return rows.map(([version, checksum]) => ({ version: Number(version), checksum: checksum ?? "" }));
}

function refuseChanged(applied: readonly Applied[], schema: string): void {
  for (const { version, checksum } of applied) {
    const ours = MIGRATIONS[version - 1];
    if (ours === undefined || checksumOf(ours) === checksum) continue;
    throw new AgentError(
      "FAILED_PRECONDITION",
      `Migration ${version} (${ours.name}) of the schema ${JSON.stringify(schema)} was applied with another text than this package has. Use the package that applied it, or another schema.`,
      { details: { schema, version } },
    );
  }
}

/**
 * A schema that an administrator made needs no right to make one, for which "if not exists" would ask all the same.
 */
async function foundation(query: TransactionQuery, name: string): Promise<string[]> {
  const schema = quoteName(name);
  const [there] = await query("select 1 from pg_catalog.pg_namespace where nspname = $1", [name]);
  return [...(there === undefined ? [`create schema ${schema};`] : []), migrationTable(schema)];
}

function migrationTable(schema: string): string {
  return `create table ${schema}.migration (
  version integer primary key,
  name text not null,
  checksum text not null,
  -- The oldest version whose processes go on working after this one was applied.
  compatible_from integer not null,
  applied_at timestamptz not null default now()
);
`;
}

function sqlOf(migration: Migration, schema: string): string {
  const { version, name, compatibleFrom } = migration;
  return `-- ${version}: ${name}
${migration.sql(schema).trim()}
insert into ${schema}.migration (version, name, checksum, compatible_from)
  values (${version}, '${name}', '${checksumOf(migration)}', ${compatibleFrom});
`;
}
