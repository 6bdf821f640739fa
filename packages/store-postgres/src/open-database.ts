import { Pool, type PoolConfig } from "pg";
import { Database } from "./database/database.ts";
import type { ResolvedOptions } from "./options.ts";

/** The store's own pool, or the user's, as a database. Connects when it is first used. */
export function openDatabase(options: ResolvedOptions): Database {
  const { source, schema, prepare, statementTimeoutMs } = options;
  if ("pool" in source)
    return new Database({ pool: source.pool, endPool: undefined, schema, prepare, statementTimeoutMs });
  const pool = new Pool(poolConfig(options, source.connectionString));
  // A connection that breaks while nobody uses it: the pool makes another. Without a listener the process would end.
  pool.on("error", () => {});
  return new Database({ pool, endPool: () => pool.end(), schema, prepare, statementTimeoutMs });
}

function poolConfig(options: ResolvedOptions, connectionString: string): PoolConfig {
  const { poolSize, notifications, connectTimeoutMs, statementTimeoutMs, pooler } = options;
  return {
    connectionString,
    max: poolSize + (notifications === "listen" ? 1 : 0),
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    allowExitOnIdle: true,
    application_name: "agents",
    // A transaction pooler refuses settings that it does not know; there the client's own limit has to do.
    ...(pooler === "none" ? { statement_timeout: statementTimeoutMs } : {}),
  };
}
