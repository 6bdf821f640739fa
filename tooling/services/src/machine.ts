import { accessSync, constants, readdirSync, statSync } from "node:fs";
import { type AptInstall, createAptInstall, type InstallOutcome } from "./apt-install.ts";

/** What resolution may ask of the computer it runs on. Tests bring their own, so that they never touch the real one. */
export interface Machine {
  env: NodeJS.ProcessEnv;
  isExecutable(file: string): boolean;
  /** Names in a folder; none when there is no such folder. */
  list(folder: string): string[];
  /** Installs a Debian package, where that is possible. */
  install(aptPackage: string): Promise<InstallOutcome>;
}

/** @param log receives a line before something slow happens */
export function thisMachine(env: NodeJS.ProcessEnv, log: (line: string) => void): Machine {
  let install: AptInstall | undefined;
  return {
    env,
    isExecutable,
    list(folder) {
      try {
        return readdirSync(folder);
      } catch {
        return [];
      }
    },
    install(aptPackage) {
      install ??= createAptInstall({ env, log, isExecutable });
      return install(aptPackage);
    },
  };
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    // Folders are "executable" too.
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
