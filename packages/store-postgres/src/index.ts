export { createPostgresStore, type PostgresStore } from "./create-postgres-store.ts";
export type { PostgresClient, PostgresPool, PostgresQuery, PostgresRows } from "./database/postgres-pool.ts";
export type { MigrateOptions, MigrationReport } from "./migration/migrate.ts";
export type { PostgresStoreOptions } from "./options.ts";
export { POSTGRES_STORE_STEPS, type PostgresStoreStep } from "./store-steps.ts";
