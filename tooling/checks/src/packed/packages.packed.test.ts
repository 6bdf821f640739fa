import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkRuntimeReach, runtimeReach } from "../check/check-runtime-reach.ts";
import { readImportGraph } from "../graph/import-graph.ts";
import { exportedSubpaths, resolveExport } from "../graph/resolve-export.ts";
import { isPublic, readWorkspace } from "../graph/workspace.ts";
import { runRepositoryChecks } from "../repository-checks.ts";
import { formatViolation } from "../violation.ts";
import { compileConsumer, compiledPrograms, createConsumer, runProgram, runReadmeProgram } from "./consumer-project.ts";
import { importableEntries } from "./every-subpath-program.ts";
import { lintTarball } from "./lint-tarball.ts";
import { type PackedPackage, packPackages } from "./pack-packages.ts";
import { readInstalledPackages } from "./read-installed-packages.ts";
import { allReadmePrograms } from "./readme-programs.ts";

const workspace = readWorkspace(fileURLToPath(new URL("../../../..", import.meta.url)).replace(/\/$/, ""));
const names = workspace.packages.filter(isPublic).map((pkg) => pkg.name);
const temporary = realpathSync(mkdtempSync(join(tmpdir(), "packed-")));
const consumer = join(temporary, "consumer");
let packed: PackedPackage[] = [];

beforeAll(async () => {
  mkdirSync(consumer);
  packed = await packPackages(workspace, temporary);
  await createConsumer({ workspace, packed, dir: consumer });
});

afterAll(() => rmSync(temporary, { recursive: true, force: true }));

function tarballOf(name: string): string {
  return packed.find(({ pkg }) => pkg.name === name)?.tarball ?? "";
}

describe("the packed packages", () => {
  it("were built into what exports names, and nothing else", () => {
    const built = runRepositoryChecks(workspace.root, { built: true }).results.find(
      ({ name }) => name === "built exports",
    );
    expect(built?.violations.map(formatViolation)).toEqual([]);
  });

  it.each(names)("%s satisfies publint and are-the-types-wrong", async (name) => {
    expect(await lintTarball(tarballOf(name))).toEqual([]);
  });

  it.each(names)("%s has its README and no tests", (name) => {
    const files = execFileSync("tar", ["-tzf", tarballOf(name)], { encoding: "utf8" })
      .trim()
      .split("\n");
    expect(files).toContain("package/README.md");
    expect(files.filter((file) => /\.(test|bench)\.|\/(test|bench)\//.test(file))).toEqual([]);
  });

  it("type-check under nodenext, and run as ES modules and as CommonJS with the same exports", async () => {
    await compileConsumer(consumer, "nodenext");
    const outputs = new Map<string, string>();
    for (const program of compiledPrograms(consumer)) outputs.set(program, await runProgram(consumer, program));
    const printed = outputs.get("every-subpath.mjs") ?? "{}";
    expect(Object.keys(JSON.parse(printed))).toEqual(packed.flatMap(({ pkg }) => importableEntries(pkg)));
    expect(outputs.get("every-subpath.cjs")).toBe(printed);
  });

  const readmes = allReadmePrograms(workspace);
  it.each(readmes.map(({ place, prints }, index) => ({ place, prints, index })))(
    "do what the program in $place says they do",
    async ({ prints, index }) => {
      expect((await runReadmeProgram(consumer, index)).trimEnd().split("\n")).toEqual(prints);
    },
  );

  it.each(["bundler", "browser"] as const)("type-check under %s resolution", async (resolution) => {
    await compileConsumer(consumer, resolution);
  });

  it.each(["import", "require"])("load at run time only what the layer table allows, by %s", (condition) => {
    const installed = readInstalledPackages(consumer, names);
    const graph = readImportGraph(installed, [condition]);
    expect(checkRuntimeReach(graph, [condition]).map(formatViolation)).toEqual([]);
    // And do load it: a bundled copy of zod would have passed the line above.
    const schema = installed.packages.find(({ name }) => name === "@agents/schema");
    const users = (module: string) =>
      exportedSubpaths(schema?.manifest.exports).filter((subpath) => {
        const entry = resolveExport(schema?.manifest.exports, subpath, [condition]);
        return runtimeReach(graph, posix.join(schema?.dir ?? "", entry ?? "")).has(module);
      });
    expect({ zod: users("zod"), crypto: users("node:crypto") }).toEqual({
      zod: ["./agent", "./wire"],
      crypto: ["./hash"],
    });
  });
});
