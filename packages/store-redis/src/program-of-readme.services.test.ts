import { execFile } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import "@tooling/services";
import { expect, inject, it } from "vitest";

const run = promisify(execFile);
const file = (name: string) => fileURLToPath(new URL(name, import.meta.url));

it("the program of the README prints what its comments say", async () => {
  const program = /^```ts\n(.*?)^```$/ms.exec(readFileSync(file("../README.md"), "utf8"))?.[1] ?? "";
  // Beside the package, where its own name leads to its sources.
  const copy = file(`../test/readme-${process.pid}.mts`);
  writeFileSync(copy, program);
  try {
    const args = ["--conditions=@agents/source", "--no-warnings", "--import", "tsx", copy];
    const { stdout } = await run(process.execPath, args, {
      cwd: file(".."),
      env: { ...process.env, REDIS_URL: inject("redisUrl") },
    });
    expect(stdout.trim().split("\n")).toEqual([...program.matchAll(/\/\/ prints: (.*)/g)].map(([, text]) => text));
  } finally {
    rmSync(copy);
  }
});
