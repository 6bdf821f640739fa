import { createPostgresStore, type PostgresStore } from "../src/index.ts";

export interface CrashStoreConfig {
  readonly connectionString: string;
  readonly schema: string;
}

/** A store for a process that is killed at one of its steps (`POSTGRES_STORE_STEPS`). The schema has been migrated before. */
export function openStore(
  { connectionString, schema }: CrashStoreConfig,
  hooks: { onStep(step: string): void | Promise<void> },
): PostgresStore {
  return createPostgresStore({ connectionString, schema, poolSize: 4, onStep: (step) => hooks.onStep(step) });
}
