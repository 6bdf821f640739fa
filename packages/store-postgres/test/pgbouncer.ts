import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";

const PROGRAM = ["/usr/sbin/pgbouncer", "/usr/bin/pgbouncer", "/usr/local/bin/pgbouncer"].find((file) =>
  existsSync(file),
);

/** Tests name it as the reason when they are skipped. */
export const hasPgbouncer = PROGRAM !== undefined;

export interface Pgbouncer {
  readonly url: string;
  stop(): Promise<void>;
}

/** A transaction pooler with two server connections for everybody. */
export async function startPgbouncer(serverUrl: string): Promise<Pgbouncer> {
  const { hostname, port: serverPort, username, pathname } = new URL(serverUrl);
  const folder = mkdtempSync(join(tmpdir(), "pgbouncer-test-"));
  const port = await freePort();
  const file = join(folder, "pgbouncer.ini");
  writeFileSync(
    file,
    `[databases]
* = host=${hostname} port=${serverPort} user=${username}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 2
`,
  );
  chmodSync(folder, 0o755);
  // It does not run as root.
  const account = process.getuid?.() === 0 ? ["-u", "nobody"] : [];
  const child = spawn(PROGRAM ?? "pgbouncer", [...account, file], { stdio: "ignore" });
  const url = `postgres://${username}@127.0.0.1:${port}${pathname}`;
  await answering(child, url);
  return {
    url,
    async stop() {
      child.kill("SIGKILL");
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
      rmSync(folder, { recursive: true });
    },
  };
}

async function answering(child: ChildProcess, connectionString: string): Promise<void> {
  for (let attempt = 0; child.exitCode === null && attempt < 200; attempt++) {
    const client = new Client({ connectionString });
    client.on("error", () => {});
    try {
      await client.connect();
      await client.end();
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }
  child.kill("SIGKILL");
  throw new Error(`pgbouncer did not answer (exit code ${child.exitCode}).`);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
