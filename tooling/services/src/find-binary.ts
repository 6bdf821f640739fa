import { delimiter, join } from "node:path";
import type { Machine } from "./machine.ts";

export interface BinarySearch {
  /** Alternatives, best first. Each names programs that are needed together, from one folder. */
  programs: readonly (readonly string[])[];
  /** Folders to look in after those of PATH. */
  folders: readonly string[];
}

/** The first program of the first alternative that is there, or undefined. */
export function findBinary({ programs, folders }: BinarySearch, machine: Machine): string | undefined {
  for (const names of programs) {
    for (const folder of searchFolders(folders, machine)) {
      const [first, ...others] = names.map((name) => join(folder, name));
      if (first && [first, ...others].every((file) => machine.isExecutable(file))) return first;
    }
  }
  return undefined;
}

/** For messages: what `findBinary` looks for, and where. */
export function describeSearch({ programs, folders }: BinarySearch, machine: Machine): string {
  const what = programs.map((names) => names.join(" with ")).join(", ");
  return `${what} in ${searchFolders(folders, machine).join(", ") || "no folder: PATH is empty"}`;
}

function searchFolders(folders: readonly string[], machine: Machine): string[] {
  const path = (machine.env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  return [...new Set([...path, ...folders])];
}
