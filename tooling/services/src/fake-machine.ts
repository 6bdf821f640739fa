import { basename, dirname } from "node:path";
import type { InstallOutcome } from "./apt-install.ts";
import type { Machine } from "./machine.ts";

export interface FakeMachineOptions {
  env?: NodeJS.ProcessEnv;
  /** Paths of the programs that are there. */
  files?: string[];
  /** What an installation adds. @default it fails, as for a user who is not root */
  installs?: string[];
}

/** For tests: a computer that has exactly the named programs, and remembers the packages it was asked to install. */
export function fakeMachine({ env = {}, files = [], installs }: FakeMachineOptions): Machine & { installed: string[] } {
  const present = new Set(files);
  const installed: string[] = [];
  return {
    env,
    installed,
    isExecutable: (file) => present.has(file),
    list: (folder) =>
      [...present].flatMap((file) => {
        const version = dirname(dirname(file));
        return dirname(version) === folder ? [basename(version)] : [];
      }),
    async install(aptPackage): Promise<InstallOutcome> {
      if (!installs) return { type: "skipped", reason: "this process is not root" };
      installed.push(aptPackage);
      for (const file of installs) present.add(file);
      return { type: "installed" };
    },
  };
}
