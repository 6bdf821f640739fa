import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isPublic, type Workspace } from "../graph/workspace.ts";
import type { Violation } from "../violation.ts";

const FRONT_MATTER = /^---\n((?:"[^"]+": (?:major|minor|patch)\n)+)---\n\n\S/;

/** Changesets that a release can read, and that name packages of ours: a broken one shows only when somebody releases. */
export function checkChangesets({ root, packages }: Workspace): Violation[] {
  const names = packages.filter(isPublic).map(({ name }) => name);
  return changesetFiles(root).flatMap((name) => {
    const file = `.changeset/${name}`;
    const matter = FRONT_MATTER.exec(readFileSync(join(root, file), "utf8"))?.[1];
    if (matter === undefined) {
      const message = `is no changeset. It starts with a line "---", lines like "@agents/core": minor, another "---", and says what changed.`;
      return [{ file, line: 1, message }];
    }
    return matter
      .split("\n")
      .map((line, index) => ({ name: /^"([^"]+)"/.exec(line)?.[1], line: index + 2 }))
      .flatMap(({ name, line }) => {
        if (name === undefined || names.includes(name)) return [];
        return [{ file, line, message: `names ${name}, which is no package that is released: ${names.join(", ")}.` }];
      });
  });
}

function changesetFiles(root: string): string[] {
  try {
    return readdirSync(join(root, ".changeset")).filter((name) => name.endsWith(".md") && name !== "README.md");
  } catch {
    return [];
  }
}
