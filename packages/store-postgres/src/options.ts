import { AgentError } from "@agents/schema/error";
import type { PostgresPool } from "./database/postgres-pool.ts";
import type { PostgresStoreStep } from "./store-steps.ts";

export interface PostgresStoreOptions {
  /** `postgres://user:password@host:5432/database`. The store then has a pool of its own. Either this or `pool`. */
  connectionString?: string;
  /** A pool of yours (`new Pool()` of the package `pg`): the store never ends it. Its own settings and timeouts hold. */
  pool?: PostgresPool;
  /** Where the tables are, up to 63 bytes. Stores of different schemas know nothing of each other. @default "agents" */
  schema?: string;
  /** Whether every call must name a tenant: an empty `scope` is then refused (FAILED_PRECONDITION). @default false */
  scoped?: boolean;
  /**
   * Whether there is a transaction pooler (pgbouncer) between. Its connections are no one's for longer than a transaction, so
   * `"transaction"` turns off prepared statements, LISTEN and settings of a connection, unless said otherwise.
   * @default "none"
   */
  pooler?: "none" | "transaction";
  /** Whether statements are prepared, once per connection. @default true; false behind a transaction pooler */
  prepare?: boolean;
  /**
   * How changes made by other processes are noticed: by LISTEN over one connection, or by asking every `pollIntervalMs`.
   * @default "listen"; "off" behind a transaction pooler
   */
  notifications?: "listen" | "off";
  /** How often what is watched is asked for while nothing listens, in milliseconds; at least 10. @default 1_000 */
  pollIntervalMs?: number;
  /** How long hints to other processes are gathered before they are sent together, in milliseconds. @default 20 */
  hintDelayMs?: number;
  /** Connections of the store's own pool, the listening one not counted; at least 1. @default 10 */
  poolSize?: number;
  /** How long a call waits for a connection, in milliseconds, for the store's own pool. @default 5_000 */
  connectTimeoutMs?: number;
  /** How long a statement may take, in milliseconds. The server cancels it; behind a pooler the client gives up. @default 10_000 */
  statementTimeoutMs?: number;
  /**
   * Called before a begin, append or settle is sent, and after it was answered: for tests that kill the process there. What it
   * throws is thrown by the call.
   */
  onStep?: (step: PostgresStoreStep) => void | Promise<void>;
}

export interface ResolvedOptions extends Required<Omit<PostgresStoreOptions, "connectionString" | "pool" | "onStep">> {
  readonly source: { readonly connectionString: string } | { readonly pool: PostgresPool };
  readonly onStep: PostgresStoreOptions["onStep"];
}

/** Throws INVALID_ARGUMENT for options that cannot work. */
export function resolveOptions(options: PostgresStoreOptions): ResolvedOptions {
  const { pooler = "none", onStep } = options;
  const isDirect = pooler === "none";
  const resolved = {
    source: sourceOf(options),
    schema: options.schema ?? "agents",
    scoped: options.scoped ?? false,
    pooler,
    prepare: options.prepare ?? isDirect,
    notifications: options.notifications ?? (isDirect ? "listen" : "off"),
    pollIntervalMs: options.pollIntervalMs ?? 1_000,
    hintDelayMs: options.hintDelayMs ?? 20,
    poolSize: options.poolSize ?? 10,
    connectTimeoutMs: options.connectTimeoutMs ?? 5_000,
    statementTimeoutMs: options.statementTimeoutMs ?? 10_000,
    onStep,
  } satisfies ResolvedOptions;
  for (const name of Object.keys(LEAST) as (keyof typeof LEAST)[]) refuseUnusable(name, resolved[name]);
  return resolved;
}

/** One connection each would be enough; a timeout of nothing would end every call. */
const LEAST = { poolSize: 1, pollIntervalMs: 10, hintDelayMs: 0, connectTimeoutMs: 1, statementTimeoutMs: 1 } as const;
const TIMER_LIMIT = 2 ** 31 - 1;

function refuseUnusable(name: keyof typeof LEAST, value: number): void {
  if (Number.isInteger(value) && value >= LEAST[name] && value <= TIMER_LIMIT) return;
  throw new AgentError("INVALID_ARGUMENT", `${name} is ${value}; it takes a whole number of at least ${LEAST[name]}.`, {
    details: { option: name, value: String(value), least: LEAST[name] },
  });
}

function sourceOf({ connectionString, pool }: PostgresStoreOptions): ResolvedOptions["source"] {
  if (pool !== undefined && connectionString === undefined) return { pool };
  if (connectionString !== undefined && pool === undefined) return { connectionString };
  throw new AgentError(
    "INVALID_ARGUMENT",
    "A Postgres store takes either a connectionString or a pool of yours, and not both.",
  );
}
