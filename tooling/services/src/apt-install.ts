import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { closeSync, existsSync, fstatSync, openSync, readSync, unlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describeFailure } from "./describe-failure.ts";

/** A reason completes the sentence "not tried, …" or "apt-get install: …". */
export type InstallOutcome =
  | { type: "installed" }
  | { type: "skipped"; reason: string }
  | { type: "failed"; reason: string };

export type AptInstall = (aptPackage: string) => Promise<InstallOutcome>;

export interface AptInstallOptions {
  env: NodeJS.ProcessEnv;
  isExecutable(file: string): boolean;
  /** Receives a line before an installation, which may take minutes. */
  log(line: string): void;
  /** @default whether this process is root */
  isRoot?: boolean;
  /** @default whether /etc/debian_version exists */
  isDebian?: boolean;
  /** Runs the installation. @default apt-install.sh */
  run?(aptPackage: string, env: NodeJS.ProcessEnv): Promise<ScriptResult>;
}

export interface ScriptResult {
  code: number | null;
  output: string;
}

const OUTPUT_TAIL_LINES = 15;

/** Installs packages one after the other, because apt-get allows one installation at a time. Never rejects. */
export function createAptInstall({
  env,
  isExecutable,
  log,
  isRoot = process.getuid?.() === 0,
  isDebian = existsSync("/etc/debian_version"),
  run = runAptScript,
}: AptInstallOptions): AptInstall {
  let last: Promise<unknown> = Promise.resolve();

  async function install(aptPackage: string): Promise<InstallOutcome> {
    log(`Installing ${aptPackage} with apt-get, because it was not found on this machine.`);
    try {
      const { code, output } = await run(aptPackage, env);
      if (code === 0) return { type: "installed" };
      const tail = output.trimEnd().split("\n").slice(-OUTPUT_TAIL_LINES).join("\n  ");
      return { type: "failed", reason: `failed with exit code ${code}:\n  ${tail}` };
    } catch (failure) {
      return { type: "failed", reason: `could not be run: ${describeFailure(failure)}` };
    }
  }

  return async (aptPackage) => {
    if (!isDebian) return { type: "skipped", reason: "this is not Debian (no /etc/debian_version)" };
    if (!isRoot) return { type: "skipped", reason: "this process is not root" };
    const path = (env.PATH ?? "").split(delimiter);
    if (!path.some((folder) => isExecutable(join(folder, "apt-get")))) {
      return { type: "skipped", reason: `there is no apt-get in PATH=${path.join(delimiter)}` };
    }
    const outcome = last.then(() => install(aptPackage));
    last = outcome;
    return outcome;
  };
}

/**
 * Output goes to a file that already has no name: it cannot be left behind, and unlike a pipe it does not break when
 * this process ends before apt-get does.
 * @param root stands in for / in tests
 */
export async function runAptScript(aptPackage: string, env: NodeJS.ProcessEnv, root = ""): Promise<ScriptResult> {
  const file = join(tmpdir(), `apt-install-${randomUUID()}.log`);
  const output = openSync(file, "wx+");
  unlinkSync(file);
  try {
    const script = fileURLToPath(new URL("./apt-install.sh", import.meta.url));
    const child = spawn("sh", [script, aptPackage, root], { env, stdio: ["ignore", output, output] });
    const [code] = (await once(child, "exit")) as [number | null];
    return { code, output: readFromStart(output) };
  } finally {
    closeSync(output);
  }
}

/** `readFileSync` of a descriptor reads on from where the writer, who shares the position, has stopped. */
function readFromStart(descriptor: number): string {
  const text = Buffer.alloc(fstatSync(descriptor).size);
  readSync(descriptor, text, 0, text.length, 0);
  return text.toString("utf8");
}
