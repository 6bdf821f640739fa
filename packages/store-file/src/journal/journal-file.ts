import { readdirSync } from "node:fs";

/** `000012.journal`: a later generation goes on where the one before ended. */
const JOURNAL = /^(\d{6,15})\.journal$/;

export function journalName(generation: number): string {
  return `${String(generation).padStart(6, "0")}.journal`;
}

/** The generations in a folder, newest first. Throws ENOENT without the folder. */
export function generationsIn(folder: string): number[] {
  return readdirSync(folder)
    .flatMap((name) => Number(JOURNAL.exec(name)?.[1] ?? 0) || [])
    .sort((one, other) => other - one);
}
