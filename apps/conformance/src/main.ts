// pnpm conformance <file.yaml> [--store memory]: runs the cases of a file against core.
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { AgentError } from "@agents/schema/error";
import { formatCount, formatResult, parseCaseFile, runCase } from "@agents/testing/conformance";
import { createCoreHarness } from "./core-harness.ts";
import { STORES } from "./stores.ts";

async function main(): Promise<number> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { store: { type: "string", default: "memory" } },
  });
  const [file] = positionals;
  const createStore = STORES[values.store];
  if (file === undefined || positionals.length > 1) return usage("Name one case file.");
  if (createStore === undefined) return usage(`There is no store ${JSON.stringify(values.store)}.`);
  const harness = createCoreHarness(() =>
    createStore({ postgresUrl: process.env["POSTGRES_URL"], redisUrl: process.env["REDIS_URL"] }),
  );
  const results = [];
  for (const test of parseCaseFile(readFileSync(file, "utf8"))) {
    const result = await runCase(harness, test);
    console.log(formatResult(result));
    results.push(result);
  }
  console.log(`\n${formatCount(results)}`);
  return results.every(({ failure }) => failure === undefined) ? 0 : 1;
}

function usage(problem: string): number {
  console.error(`${problem}\nUsage: pnpm conformance <file.yaml> [--store ${Object.keys(STORES).join("|")}]`);
  return 2;
}

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    // A file that cannot be read or is no case file: said in words. Anything else is ours, with its stack.
    const expected = AgentError.is(error) || (error instanceof Error && "code" in error);
    console.error(expected ? (error as Error).message : error);
    process.exitCode = 2;
  },
);
