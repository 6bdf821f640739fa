import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Workspace, WorkspacePackage } from "./workspace.ts";

/** Where a violation about package.json points: the line that first has the key, or the first line. */
export function manifestLine(workspace: Workspace, pkg: WorkspacePackage, key: string): number {
  const lines = readFileSync(join(workspace.root, pkg.dir, "package.json"), "utf8").split("\n");
  return (
    Math.max(
      0,
      lines.findIndex((line) => line.includes(`"${key}":`)),
    ) + 1
  );
}
