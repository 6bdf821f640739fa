import { randomUUID } from "node:crypto";
import type {} from "@tooling/services";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { begun, CALLER, turn } from "../../test/drive.ts";
import { makeTestSchema } from "../../test/test-schema.ts";
import { createPostgresStore, type PostgresStore, type PostgresStoreOptions } from "../index.ts";
import { MIGRATIONS } from "./migrations.ts";

let client: Client;
const schemas: string[] = [];
const stores: PostgresStore[] = [];

beforeAll(async () => {
  client = new Client({ connectionString: inject("postgresUrl") });
  await client.connect();
});
afterAll(async () => {
  await Promise.all(stores.map((store) => store.close()));
  for (const schema of schemas) await client.query(`drop schema if exists ${quoted(schema)} cascade`);
  await client.end();
});

describe("migrate", () => {
  it("makes what a store needs, records it, and does nothing the second time", async () => {
    const { store, schema } = fresh();
    const first = await store.migrate();
    expect(first).toMatchObject({ from: 0, to: MIGRATIONS.length });
    await turn(store, "s");
    const { rows } = await client.query(
      `select version, name, checksum from ${quoted(schema)}.migration order by version`,
    );
    expect(rows.map(({ version, name }) => [version, name])).toEqual(
      MIGRATIONS.map(({ version, name }) => [version, name]),
    );
    expect(rows.every(({ checksum }) => /^[0-9a-f]{64}$/.test(checksum))).toBe(true);
    expect(await store.migrate()).toEqual({ from: MIGRATIONS.length, to: MIGRATIONS.length, sql: "" });
  });

  it("can be called by many processes at once: one does it, the others wait and find it done", async () => {
    const schema = newSchema();
    const reports = await Promise.all(Array.from({ length: 6 }, () => open({ schema }).migrate()));
    expect(reports.filter(({ from }) => from === 0)).toHaveLength(1);
    expect(reports.filter(({ sql }) => sql === "")).toHaveLength(5);
  });

  it("says in a dry run what it would do, changes nothing, and the SQL does it", async () => {
    const { store, schema } = fresh();
    const dry = await store.migrate({ dryRun: true });
    expect(dry).toMatchObject({ from: 0, to: MIGRATIONS.length });
    const { rows } = await client.query("select 1 from pg_namespace where nspname = $1", [schema]);
    expect(rows).toEqual([]);
    await client.query(dry.sql);
    expect(await store.migrate()).toMatchObject({ from: MIGRATIONS.length, sql: "" });
    await turn(store, "s");
  });

  it("goes on from where an older version stopped", async () => {
    const { store, schema } = fresh();
    const { sql } = await store.migrate({ dryRun: true });
    await client.query(sql.slice(0, sql.indexOf("-- 2: ")));
    await expect(begun(store, "s")).rejects.toMatchObject({ status: "FAILED_PRECONDITION" });
    expect(await store.migrate()).toMatchObject({ from: 1, to: MIGRATIONS.length });
    await turn(open({ schema }), "s");
  });

  it("uses a schema that an administrator made, without the right to make one", async () => {
    const schema = newSchema();
    const role = `role_${randomUUID().replaceAll("-", "")}`;
    await client.query(`create role ${role} login; create schema ${quoted(schema)} authorization ${role}`);
    const url = new URL(inject("postgresUrl"));
    url.username = role;
    const store = open({ schema, connectionString: url.href });
    await store.migrate();
    await turn(store, "s");
    await store.close();
    await client.query(`drop owned by ${role} cascade; drop role ${role}`);
  });

  it("leaves nothing behind when it fails", async () => {
    const { store, schema } = fresh();
    await client.query(`create schema ${quoted(schema)}; create table ${quoted(schema)}.turn (in_the_way text)`);
    await expect(store.migrate()).rejects.toMatchObject({ status: "INTERNAL" });
    const { rows } = await client.query("select table_name from information_schema.tables where table_schema = $1", [
      schema,
    ]);
    expect(rows).toEqual([{ table_name: "turn" }]);
  });

  it("refuses a schema whose migration was changed after it was applied, naming it", async () => {
    const { store, schema } = fresh();
    await store.migrate();
    await client.query(`update ${quoted(schema)}.migration set checksum = 'other' where version = 1`);
    await expect(store.migrate()).rejects.toMatchObject({
      status: "FAILED_PRECONDITION",
      message: expect.stringMatching(/Migration 1 \(tables\)/),
    });
  });
});

describe("a store and its schema", () => {
  it("says that it must be migrated when it is used before, and works once it is", async () => {
    const { store, schema } = fresh();
    const refused = { status: "FAILED_PRECONDITION", message: expect.stringContaining("run migrate()") };
    await expect(begun(store, "s")).rejects.toMatchObject(refused);
    await expect(store.index.getSession(CALLER, "s")).rejects.toMatchObject(refused);
    await expect(store.hints.watch(CALLER, "x", () => {})).rejects.toMatchObject(refused);
    await expect(store.index.listSessions(CALLER, { limit: 1 })).rejects.toMatchObject({
      message: expect.stringContaining(JSON.stringify(schema)),
    });
    await store.migrate();
    await turn(store, "s");
  });

  it("works on a newer schema that leaves older versions be, and refuses one that does not", async () => {
    const { store, schema } = fresh();
    await store.migrate();
    const next = MIGRATIONS.length + 1;
    const table = `${quoted(schema)}.migration`;
    await client.query(
      `insert into ${table} (version, name, checksum, compatible_from) values (${next}, 'more', 'x', 1)`,
    );
    await turn(open({ schema }), "s");
    expect(await store.migrate(), "an older migrate").toMatchObject({ from: next, to: next, sql: "" });
    await client.query(`update ${table} set compatible_from = version where version = ${next}`);
    await expect(begun(open({ schema }), "s")).rejects.toMatchObject({
      status: "FAILED_PRECONDITION",
      message: expect.stringContaining("Update @agents/store-postgres"),
    });
  });

  it.each([
    'quote"quote',
    "'; drop table turn; --",
    "$agents$ $$ $1",
    "sp ace.dot\\back",
    "日本語 🙂",
    "select",
    "UPPER",
    "x".repeat(63),
  ])("takes the name %j", async (schema) => {
    const named = await makeTestSchema(inject("postgresUrl"), schema);
    const store = named.store();
    const lease = await turn(store, "s");
    expect(await store.turns.read(CALLER, lease, { known: [] })).toMatchObject({ turn: { status: "completed" } });
    const { rows } = await named.client.query(
      "select count(*) from information_schema.tables where table_schema = $1",
      [schema],
    );
    expect(Number(rows[0].count)).toBe(6);
    await named.drop();
  });

  it.each(["", "x".repeat(64), "nul\0", "\ud800"])("refuses the name %j", (schema) => {
    expect(() => open({ schema })).toThrow(expect.objectContaining({ status: "INVALID_ARGUMENT" }));
  });

  it("refuses a row that a newer version of the package wrote", async () => {
    const { store, schema } = fresh();
    await store.migrate();
    const lease = await turn(store, "s");
    await client.query(`update ${quoted(schema)}.turn set format = 2`);
    await expect(store.turns.read(CALLER, lease, "meta")).rejects.toMatchObject({
      status: "FAILED_PRECONDITION",
      message: expect.stringMatching(/version 2; this package reads up to 1/),
    });
  });
});

function newSchema(): string {
  const schema = `migrate ${randomUUID()}`;
  schemas.push(schema);
  return schema;
}

function fresh(): { store: PostgresStore; schema: string } {
  const schema = newSchema();
  return { store: open({ schema }), schema };
}

function open(options: Partial<PostgresStoreOptions>): PostgresStore {
  const store = createPostgresStore({ connectionString: inject("postgresUrl"), ...options });
  stores.push(store);
  return store;
}

function quoted(schema: string): string {
  return `"${schema.replaceAll('"', '""')}"`;
}
