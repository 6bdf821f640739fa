import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Workspace } from "../graph/workspace.ts";

export interface ReadmeProgram {
  /** "packages/schema/README.md:11", for messages. */
  place: string;
  text: string;
  /** What it must print, from its comments: `// prints: …`. */
  prints: string[];
}

/** Programs of one README: its code blocks that are marked `ts run`. */
export function readmePrograms(file: string, readme: string): ReadmeProgram[] {
  return [...readme.matchAll(/^```ts run\n(.*?)^```$/gms)].map((match) => {
    const text = match[1] ?? "";
    return {
      place: `${file}:${readme.slice(0, match.index).split("\n").length}`,
      text,
      prints: [...text.matchAll(/^\s*\/\/ prints: (.*)$/gm)].map((line) => line[1] ?? ""),
    };
  });
}

/** The programs of the repository's README and of every package's. */
export function allReadmePrograms({ root, packages }: Workspace): ReadmeProgram[] {
  return ["README.md", ...packages.map(({ dir }) => join(dir, "README.md"))]
    .filter((file) => existsSync(join(root, file)))
    .flatMap((file) => readmePrograms(file, readFileSync(join(root, file), "utf8")));
}
