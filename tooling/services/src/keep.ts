import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { KeeperReply, KeeperRequest } from "./keeper.mjs";
import type { ServerAccount } from "./server-account.ts";

export interface KeptProcessOptions {
  /** For the log file's name and for messages: "initdb". */
  name: string;
  command: string;
  args: string[];
  cwd: string;
  /** Account to run under. @default that of this process */
  account?: ServerAccount | undefined;
  /** How to ask it to stop: sent in turn, each after the one before had its time. SIGKILL follows. */
  stopSignals: NodeJS.Signals[];
}

export interface KeptProcess {
  pid: number;
  /** Settles when the process ends; never rejects. */
  exited: Promise<ProcessExit>;
  /** The last lines it wrote. */
  logTail(): string;
}

export interface ProcessExit {
  code: number | null;
  /** "exit code 1", "signal SIGKILL". */
  reason: string;
}

/** A process that owns others, so that they end with this one, whatever ends this one. */
export interface Keeper {
  /** Temporary folder, removed at the end. */
  folder: string;
  /** Rejects when the command cannot be run. */
  start(options: KeptProcessOptions): Promise<KeptProcess>;
  /** From now on the keeper does not keep this process's event loop alive. */
  unref(): void;
  /** Resolves when all processes are gone and the folder is removed. */
  stop(): Promise<void>;
}

export interface KeeperOptions {
  /** Where the temporary folder is made, as TMPDIR, and what kept processes see. @default process.env */
  env?: NodeJS.ProcessEnv;
  /** How long a process may take to obey a stop signal before it is sent the next one, in milliseconds. @default 3_000 */
  stopStepMs?: number;
}

const LOG_TAIL_LINES = 20;

export async function startKeeper({ env = process.env, stopStepMs = 3_000 }: KeeperOptions = {}): Promise<Keeper> {
  const child = spawn(process.execPath, [fileURLToPath(new URL("./keeper.mjs", import.meta.url)), String(stopStepMs)], {
    // A session of its own: the terminal's Ctrl-C reaches the parent's group and must not end the keeper.
    detached: true,
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    cwd: "/",
    env: keeperEnvironment(env),
  });
  const inbox = openInbox(child);
  const folder = await inbox.ready;
  let lastId = 0;
  let stopped: Promise<void> | undefined;

  return {
    folder,
    async start({ name, account, ...options }) {
      const id = ++lastId;
      const logFile = join(folder, `${id}-${name}.log`);
      const exited = inbox.exit(id);
      const pid = inbox.started(id, name);
      send(child, { type: "start", id, logFile, account, ...options });
      return { pid: await pid, exited, logTail: () => logTail(logFile) };
    },
    unref() {
      child.unref();
      child.channel?.unref();
    },
    stop() {
      stopped ??= stopKeeper(child, inbox, folder);
      return stopped;
    },
  };
}

/** Drops what would change how Node (the keeper) or Postgres run; fixes the language of the logs, which are read. */
function keeperEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => !/^(PG|NODE_OPTIONS$|NODE_V8_COVERAGE$)/.test(name));
  return { ...Object.fromEntries(kept), LC_ALL: "C" };
}

interface Inbox {
  ready: Promise<string>;
  started(id: number, name: string): Promise<number>;
  exit(id: number): Promise<ProcessExit>;
  /** Why the keeper ended; "" when it ended as asked. */
  ended: Promise<string>;
}

/** Turns the keeper's replies into promises, all of which settle when the keeper ends. */
function openInbox(child: ChildProcess): Inbox {
  let problem = "";
  const listeners = new Set<(reply: KeeperReply) => void>();
  child.on("message", (message) => {
    const reply = message as KeeperReply;
    if (reply.type === "stop-failed") problem ||= reply.message;
    for (const listener of listeners) listener(reply);
  });
  const ended = new Promise<string>((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("exit", (code, signal) => resolve(code === 0 ? "" : problem || exitReason(code, signal)));
  });

  /** The first reply that `pick` makes something of, or the reason why there will be none. */
  function first<T>(pick: (reply: KeeperReply) => T | undefined): Promise<T | { lost: string }> {
    return new Promise((resolve) => {
      const listener = (reply: KeeperReply) => {
        const picked = pick(reply);
        if (picked === undefined) return;
        listeners.delete(listener);
        resolve(picked);
      };
      listeners.add(listener);
      void ended.then((reason) => resolve({ lost: `its keeper ended (${reason || "stopped"})` }));
    });
  }

  return {
    ended,
    ready: first((reply) => (reply.type === "ready" ? reply : undefined)).then((reply) => {
      if ("lost" in reply) throw new Error(`The process that keeps test servers did not start: ${reply.lost}.`);
      return reply.folder;
    }),
    async started(id, name) {
      const reply = await first((reply) =>
        (reply.type === "started" || reply.type === "start-failed") && reply.id === id ? reply : undefined,
      );
      if ("lost" in reply) throw new Error(`${name} could not be started: ${reply.lost}.`);
      if (reply.type === "start-failed") throw new Error(`${name} could not be started: ${reply.message}.`);
      return reply.pid;
    },
    async exit(id) {
      const reply = await first((reply) => (reply.type === "exited" && reply.id === id ? reply : undefined));
      if ("lost" in reply) return { code: null, reason: reply.lost };
      return { code: reply.code, reason: exitReason(reply.code, reply.signal) };
    },
  };
}

async function stopKeeper(child: ChildProcess, inbox: Inbox, folder: string): Promise<void> {
  child.ref();
  child.channel?.ref();
  send(child, { type: "stop" });
  const problem = await inbox.ended;
  if (problem) {
    throw new Error(
      `Test servers were not stopped cleanly: ${problem}. Remove ${folder}, and end the processes that use it.`,
    );
  }
}

function send(child: ChildProcess, request: KeeperRequest): void {
  // A send that fails means that the keeper is gone; whoever waits for an answer learns that from its exit.
  if (child.connected) child.send(request, () => {});
}

function exitReason(code: number | null, signal: NodeJS.Signals | null): string {
  return signal ? `signal ${signal}` : `exit code ${code}`;
}

function logTail(file: string): string {
  try {
    return readFileSync(file, "utf8").trimEnd().split("\n").slice(-LOG_TAIL_LINES).join("\n");
  } catch {
    return "";
  }
}
