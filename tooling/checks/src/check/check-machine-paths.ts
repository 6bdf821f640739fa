import { readFileSync } from "node:fs";
import { join } from "node:path";
import { listFiles, type Workspace } from "../graph/workspace.ts";
import type { Violation } from "../violation.ts";

/** Home folders, wherever they are written as a path of their own (not as a part of a URL or a longer path). */
const HOME_FOLDER = /(?<![\w.~-])(?:\/(?:home|Users)\/[A-Za-z]|[A-Za-z]:\\+Users\\+[A-Za-z])[\w.-]*/;

/** Paths that exist on one machine only: home folders, and the folder that holds this repository. */
export function checkMachinePaths(workspace: Workspace): Violation[] {
  return listFiles(workspace.root, ".").flatMap((file) => {
    const text = readFileSync(join(workspace.root, file), "utf8");
    // A NUL means the file is not text.
    if (text.includes("\0")) return [];
    return text.split("\n").flatMap((content, index) => {
      const path = machinePath(content, workspace.root);
      if (path === undefined) return [];
      const message = `has "${path}", a path of one machine. Write it relative to the repository, or take it from the environment.`;
      return [{ file, line: index + 1, message }];
    });
  });
}

function machinePath(content: string, root: string): string | undefined {
  // A root of one folder ("/app") is too likely to mean something else.
  const isTelling = root.split("/").length > 2;
  if (isTelling && content.includes(root)) return root;
  return HOME_FOLDER.exec(content)?.[0];
}
