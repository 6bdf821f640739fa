import { readdirSync } from "node:fs";

/** `000012.journal`: a later generation goes on where the one before ended. */
const JOURNAL = /^(\d{6,15})\.journal$/;

export function journalName(generation: number): string {
  return `${String(generation).padStart(6, "0")}.journal`;
}

/** The newest generation in a folder, 0 where there is none. Throws ENOENT without the folder. */
export function newestGeneration(folder: string): number {
  let newest = 0;
  for (const name of readdirSync(folder)) newest = Math.max(newest, Number(JOURNAL.exec(name)?.[1] ?? 0));
  return newest;
}
