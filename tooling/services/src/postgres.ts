import { chownSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Client } from "pg";
import type { Keeper, KeptProcessOptions } from "./keep.ts";
import type { Machine } from "./machine.ts";
import type { WantedService } from "./resolve-service.ts";
import { type ServerAccount, serverAccount } from "./server-account.ts";
import { type StartOnFreePortOptions, startOnFreePort } from "./start-on-free-port.ts";
import { within } from "./within.ts";

export const POSTGRES: WantedService = {
  title: "Postgres",
  variable: "POSTGRES_URL",
  example: "postgres://user:password@127.0.0.1:5432/database",
  check: async (url) => {
    await queryOne(url, "select 1");
  },
  programs: [["initdb", "postgres"]],
  folders: debianFolders,
  aptPackage: "postgresql",
  macos: 'brew install postgresql@17, and PATH="$(brew --prefix postgresql@17)/bin:$PATH"',
};

export interface StartPostgresOptions extends Pick<StartOnFreePortOptions, "nextPort" | "deadlineMs"> {
  keeper: Keeper;
  /** Path of initdb; postgres lies beside it. */
  initdb: string;
}

const INITDB_DEADLINE_MS = 60_000;
const PROBE_DEADLINE_MS = 5_000;
const DEBIAN_FOLDER = "/usr/lib/postgresql";

/** Creates an empty cluster in the keeper's folder and returns the URL of its database `postgres`. */
export async function startPostgres({ keeper, initdb, ...timing }: StartPostgresOptions): Promise<string> {
  const cluster = await createCluster(keeper, initdb);
  const port = await startOnFreePort({
    keeper,
    command: (port) => serverCommand(cluster, port, DISPOSABLE),
    probe: (port) => probeServer(cluster, port),
    ...timing,
  });
  return postgresUrl(port);
}

/** Where a server of ours keeps its files, and what runs it. */
export interface Cluster {
  initdb: string;
  folder: string;
  data: string;
  account: ServerAccount | undefined;
}

/** An empty one in the keeper's folder. */
export async function createCluster(keeper: Keeper, initdb: string): Promise<Cluster> {
  const account = process.getuid?.() === 0 ? serverAccount(readFileSync("/etc/passwd", "utf8")) : undefined;
  const folder = join(keeper.folder, "postgres");
  mkdirSync(folder, { mode: 0o700 });
  if (account) chownSync(folder, account.uid, account.gid);
  const cluster = { initdb, folder, data: join(folder, "data"), account };
  await runInitdb(keeper, cluster);
  return cluster;
}

/** @param settings As `name=value`. */
export function serverCommand(
  { initdb, folder, data, account }: Cluster,
  port: number,
  settings: readonly string[],
): KeptProcessOptions {
  const all = ["listen_addresses=127.0.0.1", "unix_socket_directories=", "max_connections=200", ...settings];
  return {
    name: "postgres",
    command: join(dirname(initdb), "postgres"),
    args: ["-D", data, "-p", String(port), ...all.flatMap((setting) => ["-c", setting])],
    cwd: folder,
    account,
    // Fast, then immediate shutdown. SIGKILL comes last, because it leaves shared memory behind.
    stopSignals: ["SIGINT", "SIGQUIT"],
  };
}

/** Rejects unless this very cluster answers on the port. */
export async function probeServer({ data }: Cluster, port: number): Promise<void> {
  const answer = await queryOne(postgresUrl(port), "show data_directory");
  if (answer !== data) throw new Error(`another Postgres answers on port ${port}, from ${answer}`);
}

/** Where Debian keeps the server's programs, off the PATH; newest first. */
function debianFolders(machine: Machine): string[] {
  const versions = machine
    .list(DEBIAN_FOLDER)
    .filter((name) => /^\d+(\.\d+)?$/.test(name))
    .sort((a, b) => b.localeCompare(a, "en", { numeric: true }));
  // Where there is none, the pattern stands in: nothing is found there, but the message says where versions would be.
  return (versions.length > 0 ? versions : ["<version>"]).map((version) => join(DEBIAN_FOLDER, version, "bin"));
}

async function runInitdb(keeper: Keeper, { initdb, data, folder, account }: Cluster): Promise<void> {
  const run = await keeper.start({
    name: "initdb",
    command: initdb,
    args: ["-D", data, "-U", "postgres", "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C"],
    cwd: folder,
    account,
    stopSignals: ["SIGINT"],
  });
  const { code, reason } = await within(
    INITDB_DEADLINE_MS,
    `${initdb} did not finish within ${INITDB_DEADLINE_MS} ms.`,
    run.exited,
  );
  if (code === 0) return;
  throw new Error(`${initdb} ended with ${reason}. Its log ends with:\n${run.logTail() || "(nothing)"}`);
}

/** No care for what a power cut would do: the data does not outlive the run. */
const DISPOSABLE: readonly string[] = ["fsync=off", "synchronous_commit=off", "full_page_writes=off"];

export function postgresUrl(port: number): string {
  return `postgres://postgres@127.0.0.1:${port}/postgres`;
}

async function queryOne(url: string, sql: string): Promise<unknown> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: PROBE_DEADLINE_MS,
    query_timeout: PROBE_DEADLINE_MS,
  });
  // A connection that breaks also emits an error, which without a listener would end the process.
  client.on("error", () => {});
  try {
    await client.connect();
    const { rows } = await client.query<unknown[]>({ text: sql, rowMode: "array" });
    return rows[0]?.[0];
  } finally {
    await client.end().catch(() => {});
  }
}
