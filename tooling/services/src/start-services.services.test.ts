import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { Client } from "pg";
import { createClient } from "redis";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const endings: { name: string; how: NodeJS.Signals | "throw" | "stop" | "return"; exit: number | NodeJS.Signals }[] = [
  { name: "is killed", how: "SIGKILL", exit: "SIGKILL" },
  { name: "is interrupted with Ctrl-C", how: "SIGINT", exit: "SIGINT" },
  { name: "is terminated", how: "SIGTERM", exit: "SIGTERM" },
  { name: "throws", how: "throw", exit: 1 },
  { name: "stops them", how: "stop", exit: 0 },
  { name: "returns without stopping them", how: "return", exit: 0 },
];

// Where the environment names the servers, none is started that could be left behind.
describe.skipIf(process.env.POSTGRES_URL || process.env.REDIS_URL)(
  "startServices (skipped if POSTGRES_URL or REDIS_URL is set)",
  () => {
    let temporary: string;
    let fixture: ChildProcess | undefined;

    beforeEach(() => {
      temporary = mkdtempSync(join(tmpdir(), "start-services-test-"));
      // Postgres runs under another account when this process is root.
      chmodSync(temporary, 0o711);
    });
    afterEach(() => {
      if (fixture && fixture.exitCode === null && fixture.signalCode === null) signalGroup(fixture, "SIGKILL");
      rmSync(temporary, { recursive: true, force: true, maxRetries: 10 });
    });

    for (const { name, how, exit } of endings) {
      it(`leaves no server and no folder behind when the process ${name}`, async () => {
        fixture = startFixture(how, temporary);
        const exited = once(fixture, "exit");
        const servers = await serverPids(fixture);
        expect(servers.filter(isAlive)).toEqual(servers);
        expect(readdirSync(temporary)).toHaveLength(1);

        if (how.startsWith("SIG")) signalGroup(fixture, how as NodeJS.Signals);
        else fixture.stdin?.write("go\n");
        const [code, signal] = (await exited) as [number | null, NodeJS.Signals | null];
        expect(signal ?? code).toBe(exit);
        // Only `stop` promises that they are gone by now; the keeper sees to the rest.
        const timeout = how === "stop" ? 0 : 15_000;
        await expect.poll(() => servers.filter(isAlive), { timeout }).toEqual([]);
        await expect.poll(() => readdirSync(temporary), { timeout }).toEqual([]);
      });
    }
  },
);

function startFixture(ending: string, temporary: string): ChildProcess {
  const file = fileURLToPath(new URL("./start-services-fixture.ts", import.meta.url));
  return spawn(process.execPath, ["--import", "tsx", file, ending, temporary], {
    cwd: fileURLToPath(new URL("..", import.meta.url)),
    detached: true,
    // One fixture is asked to throw; what others write explains a failed test.
    stdio: ["pipe", "pipe", ending === "throw" ? "ignore" : "inherit"],
  });
}

/** To the whole group, as the terminal's Ctrl-C is: a keeper in the same group would not survive SIGKILL. */
function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid) process.kill(-pid, signal);
}

/** Process ids of the fixture's Postgres and Redis, from the servers themselves. */
async function serverPids({ stdout }: ChildProcess): Promise<number[]> {
  if (!stdout) throw new Error("The fixture's stdout is not a pipe.");
  const line: IteratorResult<string> = await createInterface(stdout)[Symbol.asyncIterator]().next();
  if (line.done) throw new Error("The fixture ended before it had started its servers; its stderr says why.");
  const { postgresUrl, redisUrl } = JSON.parse(line.value) as { postgresUrl: string; redisUrl: string };
  return [await postgresPid(postgresUrl), await redisPid(redisUrl)];
}

async function postgresPid(url: string): Promise<number> {
  const client = new Client(url);
  await client.connect();
  try {
    const { rows } = await client.query<{ data_directory: string }>("show data_directory");
    return Number(readFileSync(join(rows[0]?.data_directory ?? "", "postmaster.pid"), "utf8").split("\n")[0]);
  } finally {
    await client.end();
  }
}

async function redisPid(url: string): Promise<number> {
  const client = createClient({ url });
  await client.connect();
  try {
    return Number(/^process_id:(\d+)/m.exec(await client.info("server"))?.[1]);
  } finally {
    client.destroy();
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
