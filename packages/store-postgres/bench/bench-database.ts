import { type Agent, createAgents } from "@agents/core";
import { createPostgresStore, type PostgresStore } from "@agents/store-postgres";
import { startOwnPostgres } from "@tooling/services";
import { Pool } from "pg";

export interface BenchDatabase {
  readonly url: string;
  readonly pool: Pool;
  readonly store: PostgresStore;
  /** Answers 200 characters to 200: about 480 bytes a turn, as JSON. */
  readonly agent: Agent;
  stop(): Promise<void>;
}

export const QUESTION = "x".repeat(200);
const ANSWER = { role: "model" as const, content: [{ text: "y".repeat(200) }] };
/** What a turn adds to the state, for whoever writes the same without a store. */
export const TURN_JSON = JSON.stringify([{ role: "user", content: [{ text: QUESTION }] }, ANSWER]);

/** A server with the durability that Postgres has by default, on this machine's disk. */
export async function openBenchDatabase(poolSize = 10): Promise<BenchDatabase> {
  const server = await startOwnPostgres({
    settings: [
      "shared_preload_libraries=pg_stat_statements",
      "shared_buffers=256MB",
      ...(process.env.PGX ?? "").split(",").filter(Boolean),
      "max_wal_size=4GB",
    ],
  });
  const pool = new Pool({ connectionString: server.url, max: poolSize });
  // The server ends before this pool does where a measurement fails.
  pool.on("error", () => {});
  await pool.query("create extension pg_stat_statements");
  await pool.query("create table bare (id text primary key, content text)");
  const store = createPostgresStore({ connectionString: server.url, poolSize });
  await store.migrate();
  return {
    url: server.url,
    pool,
    store,
    agent: agentOn(store),
    async stop() {
      await store.close();
      await pool.end();
      await server.stop();
    },
  };
}

/** Another is another process: it holds no state. */
export function agentOn(store: PostgresStore): Agent {
  return createAgents({ store }).defineCustomAgent({ name: "answering" }, async (session) => {
    await session.run(async () => session.addMessages(ANSWER));
    return session.result();
  });
}

let inserted = 0;
/** What any store has to do at least: write the same bytes under a new id, durably. */
export async function bareInsert({ pool }: Pick<BenchDatabase, "pool">): Promise<void> {
  const values = [`row ${inserted++} of ${process.pid}`, TURN_JSON];
  await pool.query({ name: "bare", text: "insert into bare values ($1, $2)", values });
}
