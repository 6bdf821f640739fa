// Owns the servers of one test run and outlives it for as long as it takes to stop them and remove their folder.
// A process of its own, because nothing inside a process that is killed with SIGKILL can clean up after it. Plain
// JavaScript, because it must start without the loader that its parent happens to run under.
import { spawn } from "node:child_process";
import { chmodSync, closeSync, mkdtempSync, openSync, realpathSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

/**
 * @typedef {object} StartRequest
 * @property {"start"} type
 * @property {number} id names the process in the replies
 * @property {string} command
 * @property {string[]} args
 * @property {string} cwd
 * @property {string} logFile receives stdout and stderr
 * @property {{ uid: number, gid: number } | undefined} account to run under; the keeper's own when absent
 * @property {NodeJS.Signals[]} stopSignals sent in turn, each after the one before had its time; SIGKILL is always last
 *
 * @typedef {StartRequest | { type: "stop" }} KeeperRequest
 *
 * @typedef {{ type: "ready", folder: string }
 *   | { type: "started", id: number, pid: number }
 *   | { type: "start-failed", id: number, message: string }
 *   | { type: "exited", id: number, code: number | null, signal: NodeJS.Signals | null }
 *   | { type: "stop-failed", message: string }} KeeperReply
 *
 * @typedef {{ child: import("node:child_process").ChildProcess, exited: Promise<void>, stopSignals: NodeJS.Signals[] }} Kept
 */

/** How long a process may take to obey a stop signal before it is sent the next one. */
const stopStepMs = Number(process.argv[2]);

/** @type {Set<Kept>} */
const running = new Set();
/** @type {Promise<void> | undefined} */
let stopping;

// The channel closes when the parent ends, however it ends.
process.on("disconnect", stop);
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, stop);
process.on("uncaughtException", (error) => {
  process.exitCode = 1;
  reply({ type: "stop-failed", message: error.message });
  stop();
});

// The real path, because servers report theirs, and on macOS the temporary folder is behind a link.
const folder = mkdtempSync(join(realpathSync(tmpdir()), "test-services-"));
// Servers may run under another account: it may pass through to its own folder, but not look around.
chmodSync(folder, 0o711);

process.on("message", (message) => {
  const request = /** @type {KeeperRequest} */ (message);
  if (request.type === "start") start(request);
  else stop();
});
reply({ type: "ready", folder });
// The parent may have ended before the listener above was there to hear of it.
if (!process.connected) stop();

/** @param {StartRequest} request */
function start(request) {
  const { id, stopSignals } = request;
  if (stopping) {
    reply({ type: "start-failed", id, message: "the keeper is already stopping" });
    return;
  }
  const child = spawnLogged(request);
  if (child instanceof Error) {
    reply({ type: "start-failed", id, message: child.message });
    return;
  }
  /** @type {Kept} */
  const kept = { child, stopSignals, exited: new Promise((resolve) => child.once("close", () => resolve())) };
  running.add(kept);
  child.once("spawn", () => reply({ type: "started", id, pid: child.pid ?? 0 }));
  child.once("error", (error) => reply({ type: "start-failed", id, message: error.message }));
  child.once("close", (code, signal) => {
    running.delete(kept);
    reply({ type: "exited", id, code, signal });
  });
}

/**
 * Some failures (no permission to change the account) are thrown, others come as an event.
 * @param {StartRequest} request
 */
function spawnLogged({ command, args, cwd, logFile, account }) {
  const log = openSync(logFile, "a");
  try {
    return spawn(command, args, { cwd, stdio: ["ignore", log, log], ...account });
  } catch (error) {
    return /** @type {Error} */ (error);
  } finally {
    closeSync(log);
  }
}

function stop() {
  stopping ??= stopAll().then(
    () => process.exit(),
    (error) => reply({ type: "stop-failed", message: String(error) }, () => process.exit(1)),
  );
}

async function stopAll() {
  await Promise.all([...running].map(end));
  // Retried: a child of a killed server may write one more file before it notices.
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
}

/** @param {Kept} kept */
async function end({ child, exited, stopSignals }) {
  for (const signal of [...stopSignals, /** @type {const} */ ("SIGKILL")]) {
    child.kill(signal);
    if (await Promise.race([exited.then(() => true), delay(stopStepMs, false)])) return;
  }
}

/**
 * @param {KeeperReply} message
 * @param {() => void} [then] called also when nobody is there to receive the message
 */
function reply(message, then = () => {}) {
  if (process.connected) process.send?.(message, undefined, undefined, then);
  else then();
}
