import { AgentError } from "@agents/schema/error";
import type { Telemetry } from "@agents/schema/port";
import type { OnStep } from "./context/redis-store-steps.ts";
import { isWellFormed } from "./record/is-well-formed.ts";
import type { RedisClientLike, RedisClusterLike } from "./server/redis-client.ts";

export type RedisStoreOptions = RedisStoreSettings &
  (
    | {
        /** `redis[s]://[[user][:password]@]host[:port][/database]`. The store makes and ends the connection. */
        url: string;
        client?: never;
      }
    | {
        /**
         * A connected client of node-redis 5, `createClient` or `createCluster`. It stays the caller's to close; hints take
         * one more connection, made with its options.
         */
        client: RedisClientLike | RedisClusterLike;
        url?: never;
      }
  );

export interface RedisStoreSettings {
  /**
   * Before the name of every key. Stores with different prefixes know nothing of one another. Without braces, which would
   * break the hash tags. @default "agents:"
   */
  prefix?: string;
  /**
   * Parts that the sessions of a tenant are spread over: each is in one slot of a cluster, and has an index of its own,
   * all of which a list of sessions reads. Fixed by the first store over the data; another number is refused. 1 to 4,096.
   * @default 64
   */
  buckets?: number;
  /**
   * Milliseconds after its last change, and after the end of its last lease, at which a session expires, whole. At least
   * 1,000; 0 for never. @default 0
   */
  ttlMs?: number;
  /**
   * Whether every call must name a tenant: an empty `scope` is then refused (FAILED_PRECONDITION). Scopes are kept
   * apart either way. @default false
   */
  scoped?: boolean;
  /** Milliseconds after which a call without an answer rejects with UNAVAILABLE. At least 1. @default 10_000 */
  timeoutMs?: number;
  /**
   * Told what `health()` warns of, once for each warning, when the server has first answered.
   * @default process.emitWarning
   */
  onWarning?: (warning: string) => void;
  /** Counts the same warnings as `agents.store.warning`. @default none */
  telemetry?: Pick<Telemetry, "count">;
  /** For tests: called at each of `REDIS_STORE_STEPS`, and awaited. What it throws is what the call throws. @default none */
  onStep?: OnStep;
}

export interface ResolvedSettings {
  readonly prefix: string;
  readonly buckets: number;
  readonly ttlMs: number;
  readonly timeoutMs: number;
}

const DEFAULTS: ResolvedSettings = { prefix: "agents:", buckets: 64, ttlMs: 0, timeoutMs: 10_000 };

const RANGES = {
  buckets: { least: 1, most: 4_096 },
  ttlMs: { least: 1_000, most: 1e12, also: 0 },
  timeoutMs: { least: 1, most: 2_147_483_647 },
} as const satisfies Record<string, { least: number; most: number; also?: number }>;

/** Throws INVALID_ARGUMENT for what cannot work. */
export function resolveSettings(options: RedisStoreSettings): ResolvedSettings {
  const { prefix, buckets, ttlMs, timeoutMs } = options;
  const settings = {
    prefix: prefix ?? DEFAULTS.prefix,
    buckets: buckets ?? DEFAULTS.buckets,
    ttlMs: ttlMs ?? DEFAULTS.ttlMs,
    timeoutMs: timeoutMs ?? DEFAULTS.timeoutMs,
  };
  for (const name of ["buckets", "ttlMs", "timeoutMs"] as const) refuseOutside(name, settings[name]);
  if (/[{}]/.test(settings.prefix) || !isWellFormed(settings.prefix)) {
    throw new AgentError(
      "INVALID_ARGUMENT",
      `The prefix ${JSON.stringify(settings.prefix)} cannot be used: braces in it would break the hash tags of a cluster.`,
    );
  }
  return settings;
}

function refuseOutside(name: keyof typeof RANGES, value: number): void {
  const { least, most, also }: { least: number; most: number; also?: number } = RANGES[name];
  if (value === also || (Number.isInteger(value) && value >= least && value <= most)) return;
  const or = also === undefined ? "" : `, or ${also}`;
  throw new AgentError(
    "INVALID_ARGUMENT",
    `${name} is ${value}; it takes a whole number from ${least} to ${most}${or}.`,
    {
      details: { option: name, value: String(value) },
    },
  );
}
