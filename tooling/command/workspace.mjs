// Runs on a fresh machine before anything is installed: Node's own modules only.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** How soon we notice that whoever started us is gone, in milliseconds. */
const PARENT_CHECK_MS = 500;

const onWindows = process.platform === "win32";

/**
 * Runs a program in the repository with our terminal and resolves to its exit code.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} [env] added to ours
 * @returns {Promise<number>}
 */
export function run(command, args, env = {}) {
  if (interrupted !== undefined) return Promise.resolve(exitCodeOf(interrupted));
  const child = spawn(command, args, {
    cwd: ROOT,
    stdio: "inherit",
    env: { ...process.env, ...env },
    shell: onWindows,
  });
  running = child;
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code, signal) => resolve(code ?? exitCodeOf(signal ?? "SIGKILL")));
  });
}

/**
 * pnpm at the version that `packageManager` pins, through npx: nothing has to be installed beforehand.
 * @param {readonly string[]} args
 */
export function runPnpm(args) {
  const { packageManager } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  return run("npx", ["--yes", packageManager, ...args]);
}

/**
 * Through pnpm, because turbo looks for the package manager on the PATH.
 * @param {readonly string[]} args
 */
export function runTurbo(args) {
  return runPnpm(["exec", "turbo", "run", ...args]);
}

/**
 * A program that an installed dependency brought.
 * @param {string} name
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 */
export function runInstalled(name, args, env) {
  return run(join(ROOT, "node_modules", ".bin", name), args, env);
}

/** The lockfile decides what is installed; a manifest that disagrees with it fails here. */
export function install() {
  return runPnpm(["install", "--frozen-lockfile", "--prefer-offline"]);
}

/** @type {import("node:child_process").ChildProcess | undefined} */
let running;
/** @type {NodeJS.Signals | undefined} */
let interrupted;

/**
 * From now on a signal ends the run in order: the child that is under way is told, stays until it has stopped what it
 * started, and no other is run. A second signal ends us at once.
 */
export function stopInOrder() {
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) {
    process.on(signal, () => {
      if (interrupted !== undefined) process.exit(exitCodeOf(signal));
      stop(signal);
    });
  }
  // npm that is told to end does so without a word to what it runs; what is left then has another parent.
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent && interrupted === undefined) stop("SIGTERM");
  }, PARENT_CHECK_MS).unref();
}

/** @param {NodeJS.Signals} signal */
function stop(signal) {
  interrupted = signal;
  // The terminal tells the whole group of a Ctrl-C; a process manager tells us alone.
  running?.kill(signal);
}

/** The exit code to end with, if a signal has come. */
export function interruption() {
  return interrupted === undefined ? undefined : exitCodeOf(interrupted);
}

/** @param {NodeJS.Signals} signal */
function exitCodeOf(signal) {
  return 128 + (constants.signals[signal] ?? 1);
}
