import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Manifest, Workspace } from "../graph/workspace.ts";
import { everySubpathProgram } from "./every-subpath-program.ts";
import type { PackedPackage } from "./pack-packages.ts";
import { allReadmePrograms } from "./readme-programs.ts";
import { runCommand } from "./run-command.ts";

export interface ConsumerOptions {
  workspace: Workspace;
  packed: readonly PackedPackage[];
  /** An empty folder outside of the repository, so that nothing is found in the repository's node_modules. */
  dir: string;
}

/** The ways users resolve modules, each a folder of consumer/ with its tsconfig.json. Only `nodenext` is also compiled. */
const RESOLUTIONS = ["nodenext", "bundler", "browser"] as const;
export type Resolution = (typeof RESOLUTIONS)[number];

const TEMPLATES = fileURLToPath(new URL("../../consumer", import.meta.url));

/** One text is checked, and run, as an ES module and as CommonJS. */
const EXTENSIONS = { nodenext: [".mts", ".cts"], bundler: [".ts"], browser: [".ts"] } as const;

/**
 * A project as a user would have it: the tarballs and their peers installed by npm, a program that imports every subpath,
 * and the programs of consumer/ for the packages that are there.
 */
export async function createConsumer({ workspace, packed, dir }: ConsumerOptions): Promise<void> {
  const manifest = { name: "consumer", private: true, dependencies: dependencies(workspace, packed) };
  writeFileSync(join(dir, "package.json"), JSON.stringify(manifest, undefined, 2));
  for (const resolution of RESOLUTIONS) {
    cpSync(join(TEMPLATES, resolution), join(dir, resolution), { recursive: true });
    for (const { name, text, extensions } of programs(workspace, packed, resolution)) {
      for (const extension of extensions) writeFileSync(join(dir, resolution, name + extension), text);
    }
  }
  // Scripts stay off: what we publish must work without them.
  await runCommand("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"], dir);
}

/** Rejects with the compiler's errors. */
export async function compileConsumer(dir: string, resolution: Resolution): Promise<void> {
  await runCommand("node", [join(dir, "node_modules/typescript/bin/tsc"), "-p", join(dir, resolution)], dir);
}

/** What `nodenext` was compiled to: "use-schema.mjs", "use-schema.cjs". */
export function compiledPrograms(dir: string): string[] {
  return readdirSync(join(dir, "nodenext/out")).filter((file) => /\.[cm]js$/.test(file));
}

/** Runs what the program at `index` of `allReadmePrograms` was compiled to. */
export function runReadmeProgram(dir: string, index: number): Promise<string> {
  return runProgram(dir, `${readmeProgram(index)}.mjs`);
}

export function runProgram(dir: string, program: string): Promise<string> {
  return runCommand("node", [join(dir, "nodenext/out", program)], dir);
}

interface Program {
  name: string;
  text: string;
  extensions: readonly string[];
}

function programs(workspace: Workspace, packed: readonly PackedPackage[], resolution: Resolution): Program[] {
  const extensions = EXTENSIONS[resolution];
  const text = everySubpathProgram(
    packed.map(({ pkg }) => pkg),
    { browserOnly: resolution === "browser" },
  );
  const readmes = resolution === "nodenext" ? allReadmePrograms(workspace) : [];
  return [
    { name: "every-subpath", text, extensions },
    ...templates(packed, resolution),
    ...readmes.map(({ text }, index) => ({ name: readmeProgram(index), text, extensions: [".mts"] })),
  ];
}

function readmeProgram(index: number): string {
  return `readme-${index}`;
}

/** use-schema.ts is for whoever installs @agents/schema; use-schema.x.mts too, but as an ES module only. */
function templates(packed: readonly PackedPackage[], resolution: Resolution): Program[] {
  if (resolution === "browser") return [];
  return readdirSync(TEMPLATES).flatMap((file) => {
    const match = /^(use-([\w-]+)(?:\.[\w-]+)?)(\.m?ts)$/.exec(file);
    if (!match?.[1] || !packed.some(({ pkg }) => pkg.name === `@agents/${match[2]}`)) return [];
    const text = readFileSync(join(TEMPLATES, file), "utf8");
    return [{ name: match[1], text, extensions: match[3] === ".mts" ? [".mts"] : EXTENSIONS[resolution] }];
  });
}

/** Everything at the version that this repository has installed, so that the result depends on the sources alone. */
function dependencies({ root }: Workspace, packed: readonly PackedPackage[]): Record<string, string> {
  const tools = ["typescript", "@types/node"].map((name) => [name, installedVersion(root, name)]);
  const names = new Set(packed.map(({ pkg }) => pkg.name));
  const peers = packed.flatMap(({ pkg }) =>
    Object.keys(pkg.manifest.peerDependencies ?? {})
      .filter((name) => !names.has(name))
      .map((name) => [name, installedVersion(join(root, pkg.dir), name)]),
  );
  const tarballs = packed.map(({ pkg, tarball }) => [pkg.name, `file:${tarball}`]);
  return Object.fromEntries([...tools, ...peers, ...tarballs]) as Record<string, string>;
}

function installedVersion(dir: string, name: string): string {
  const manifest = JSON.parse(readFileSync(join(dir, "node_modules", name, "package.json"), "utf8")) as Manifest;
  return manifest.version ?? "";
}
