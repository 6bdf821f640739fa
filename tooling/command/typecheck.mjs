// `npm run typecheck`: every program of the repository. Ends with 1 if one has an error.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { ROOT, runInstalled, stopInOrder } from "./workspace.mjs";

/** The program of all that runs on Node, and one for each page. */
export function programs() {
  const pages = readdirSync(join(ROOT, "apps"))
    .map((app) => join("apps", app, "src", "page"))
    .filter((page) => existsSync(join(ROOT, page, "tsconfig.json")));
  return [".", ...pages];
}

export async function typecheck() {
  let code = 0;
  // All of them, whatever the first says: one run shows every error.
  for (const program of programs()) code = (await runInstalled("tsc", ["-p", program])) || code;
  return code;
}

if (process.argv[1]?.endsWith("typecheck.mjs")) {
  stopInOrder();
  process.exitCode = (await typecheck()) === 0 ? 0 : 1;
}
