import { describeSearch, findBinary } from "./find-binary.ts";
import { type KeptProcess, startKeeper } from "./keep.ts";
import { thisMachine } from "./machine.ts";
import { createCluster, POSTGRES, postgresUrl, probeServer, serverCommand } from "./postgres.ts";
import { startOnFreePort } from "./start-on-free-port.ts";
import { within } from "./within.ts";

export interface OwnPostgresOptions {
  /** As `name=value`. Without any the server is as durable as it is by default. @default none */
  settings?: readonly string[];
}

/** A server that a test may do anything to. */
export interface OwnPostgres {
  /** The same after a restart. */
  readonly url: string;
  /** Ends the server, without a word or after a fast shutdown, and starts it again on the same files and port. */
  restart(how: "fast" | "immediate"): Promise<void>;
  /** Resolves when it is gone, with its files. */
  stop(): Promise<void>;
}

const END_DEADLINE_MS = 30_000;

/** Starts a server for one test alone, from the programs of this machine: one that is given by POSTGRES_URL is not touched. */
export async function startOwnPostgres({ settings = [] }: OwnPostgresOptions = {}): Promise<OwnPostgres> {
  const machine = thisMachine(process.env, (line) => process.stderr.write(`${line}\n`));
  const search = { programs: POSTGRES.programs, folders: POSTGRES.folders(machine) };
  const initdb = findBinary(search, machine);
  if (initdb === undefined) throw new Error(`A server of its own needs ${describeSearch(search, machine)}: not there.`);
  const keeper = await startKeeper();
  try {
    const cluster = await createCluster(keeper, initdb);
    let server: KeptProcess | undefined;
    const remembering = {
      ...keeper,
      start: async (options: Parameters<typeof keeper.start>[0]) => {
        server = await keeper.start(options);
        return server;
      },
    };
    const startOn = (nextPort?: () => Promise<number>) =>
      startOnFreePort({
        keeper: remembering,
        command: (port) => serverCommand(cluster, port, settings),
        probe: (port) => probeServer(cluster, port),
        ...(nextPort === undefined ? {} : { nextPort }),
      });
    const port = await startOn();
    keeper.unref();
    return {
      url: postgresUrl(port),
      async restart(how) {
        if (server === undefined) return;
        process.kill(server.pid, how === "fast" ? "SIGINT" : "SIGQUIT");
        await within(END_DEADLINE_MS, `Postgres did not end within ${END_DEADLINE_MS} ms.`, server.exited);
        await startOn(async () => port);
      },
      stop: () => keeper.stop(),
    };
  } catch (error) {
    await keeper.stop();
    throw error;
  }
}
