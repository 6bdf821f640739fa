import { CHROMIUM } from "./chromium.ts";
import { type Keeper, startKeeper } from "./keep.ts";
import { type Machine, thisMachine } from "./machine.ts";
import { POSTGRES, startPostgres } from "./postgres.ts";
import { REDIS, startRedis } from "./redis.ts";
import { resolveService } from "./resolve-service.ts";

/** Services to start; those not named are not looked for. */
export interface WantedServices {
  postgres?: boolean;
  redis?: boolean;
  chromium?: boolean;
}

export interface StartServicesOptions {
  /** Names services that are already there, and PATH. @default process.env */
  env?: NodeJS.ProcessEnv;
  /** Receives a line before something slow happens, such as an installation. @default writes to stderr */
  log?: (line: string) => void;
  /** What resolution asks of the computer. @default this one, seen through `env` */
  machine?: Machine;
}

/** Addresses of what was asked for. */
export type RunningServices<Wanted extends WantedServices> = (Wanted["postgres"] extends true
  ? { postgresUrl: string }
  : { postgresUrl?: string }) &
  (Wanted["redis"] extends true ? { redisUrl: string } : { redisUrl?: string }) &
  (Wanted["chromium"] extends true ? { chromePath: string } : { chromePath?: string }) & {
    /** Resolves when the servers that were started are gone, with their folder. Those the environment named stay. */
    stop(): Promise<void>;
  };

/**
 * Finds or starts services for tests, all at the same time. Rejects when one of them cannot be had, after the others
 * were stopped. Servers started here end with this process, however it ends, and do not keep it from ending.
 */
export async function startServices<const Wanted extends WantedServices>(
  options: Wanted & StartServicesOptions,
): Promise<RunningServices<Wanted>> {
  const { env = process.env, log = (line) => process.stderr.write(`${line}\n`) } = options;
  const { machine = thisMachine(env, log) } = options;
  let keeping: Promise<Keeper> | undefined;
  const keeper = () => {
    keeping ??= startKeeper({ env });
    return keeping;
  };
  const stop = async () => (await keeping)?.stop();

  const results = await Promise.allSettled([
    options.postgres ? findPostgres(machine, keeper) : undefined,
    options.redis ? findRedis(machine, keeper) : undefined,
    options.chromium ? findChromium(machine) : undefined,
  ]);
  const failures = results.flatMap((result) => (result.status === "rejected" ? [result.reason as Error] : []));
  if (failures.length > 0) {
    // A keeper that did not start is among the failures already.
    await stop().catch(() => {});
    throw failures.length === 1
      ? failures[0]
      : new AggregateError(failures, failures.map(({ message }) => message).join("\n\n"));
  }
  (await keeping)?.unref();

  const [postgresUrl, redisUrl, chromePath] = results.map((result) =>
    result.status === "fulfilled" ? result.value : undefined,
  );
  return {
    ...(postgresUrl ? { postgresUrl } : {}),
    ...(redisUrl ? { redisUrl } : {}),
    ...(chromePath ? { chromePath } : {}),
    stop,
  } as RunningServices<Wanted>;
}

async function findPostgres(machine: Machine, keeper: () => Promise<Keeper>): Promise<string> {
  const found = await resolveService(POSTGRES, machine);
  return found.type === "given" ? found.value : startPostgres({ keeper: await keeper(), initdb: found.file });
}

async function findRedis(machine: Machine, keeper: () => Promise<Keeper>): Promise<string> {
  const found = await resolveService(REDIS, machine);
  return found.type === "given" ? found.value : startRedis({ keeper: await keeper(), server: found.file });
}

async function findChromium(machine: Machine): Promise<string> {
  const found = await resolveService(CHROMIUM, machine);
  return found.type === "given" ? found.value : found.file;
}
