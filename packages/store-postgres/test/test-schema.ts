import { randomUUID } from "node:crypto";
import { Client } from "pg";
import { createPostgresStore, type PostgresStore, type PostgresStoreOptions } from "../src/index.ts";
import { dollarQuote } from "../src/sql/quote.ts";

/** A schema of its own, with a clock that the test moves. */
export interface TestSchema {
  readonly connectionString: string;
  readonly schema: string;
  /** For looking at what is kept. */
  readonly client: Client;
  /** Quoted. */
  readonly quoted: string;
  store(options?: Partial<PostgresStoreOptions>): PostgresStore;
  /** Moves the clock of the schema, for all its stores. */
  advance(ms: number): Promise<void>;
  /** Removes all rows and puts the clock back. */
  clear(): Promise<void>;
  /** Closes the stores that were made, and drops the schema. */
  drop(): Promise<void>;
}

export async function makeTestSchema(
  connectionString: string,
  schema = `test_${randomUUID().replaceAll("-", "")}`,
): Promise<TestSchema> {
  const client = new Client({ connectionString });
  client.on("error", () => {});
  await client.connect();
  const quoted = `"${schema.replaceAll('"', '""')}"`;
  const stores: PostgresStore[] = [];
  const store: TestSchema["store"] = (options = {}) => {
    const made = createPostgresStore({
      ...(options.pool === undefined ? { connectionString } : {}),
      schema,
      ...options,
    });
    stores.push(made);
    return made;
  };
  await store().migrate();
  // Functions call it by name: what replaces it decides what time it is.
  await client.query(`
    create table ${quoted}.clock_offset (ms bigint not null);
    insert into ${quoted}.clock_offset values (0);
    create or replace function ${quoted}.now_ms() returns bigint language sql volatile as
      ${dollarQuote(`select floor(extract(epoch from clock_timestamp()) * 1000)::bigint + (select ms from ${quoted}.clock_offset)`)};`);
  return {
    connectionString,
    schema,
    client,
    quoted,
    store,
    async advance(ms) {
      await client.query(`update ${quoted}.clock_offset set ms = ms + $1`, [ms]);
    },
    async clear() {
      await client.query(`delete from ${quoted}.event_batch; delete from ${quoted}.turn; delete from ${quoted}.session;
        update ${quoted}.clock_offset set ms = 0`);
    },
    async drop() {
      await Promise.all(stores.map((made) => made.close()));
      await client.query(`drop schema if exists ${quoted} cascade`);
      await client.end();
    },
  };
}
