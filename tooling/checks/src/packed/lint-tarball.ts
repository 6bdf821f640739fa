import { readFile } from "node:fs/promises";
import { checkPackage, createPackageFromTarballData, type Problem } from "@arethetypeswrong/core";
import { problemAffectsResolutionKind, problemKindInfo } from "@arethetypeswrong/core/problems";
import { publint } from "publint";
import { formatMessage } from "publint/utils";

/** What publint and are-the-types-wrong say about a tarball, suggestions included. Empty if it may be published. */
export async function lintTarball(tarball: string): Promise<string[]> {
  const data = await readFile(tarball);
  return [...(await lintPackaging(data)), ...(await lintTypes(data))];
}

async function lintPackaging(data: Buffer): Promise<string[]> {
  const bytes = data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength) as ArrayBuffer;
  const { messages, pkg } = await publint({ pack: { tarball: bytes }, level: "suggestion", strict: true });
  return messages.map(
    (message) => `publint ${message.type} ${message.code}: ${formatMessage(message, pkg, { color: false })}`,
  );
}

/** "node10" is left out: it does not read `exports`, so it cannot see subpaths, and no Node we support resolves so. */
const SUPPORTED = ["node16-cjs", "node16-esm", "bundler"] as const;

async function lintTypes(data: Uint8Array): Promise<string[]> {
  const analysis = await checkPackage(createPackageFromTarballData(data));
  if (!analysis.types) return ["types: the package has no types."];
  return analysis.problems.flatMap((problem) => {
    const affected = SUPPORTED.filter((kind) => problemAffectsResolutionKind(problem, kind, analysis));
    return affected.length === 0 ? [] : [`types ${problem.kind} (${affected.join(", ")}): ${describe(problem)}`];
  });
}

function describe(problem: Problem): string {
  const { kind, ...where } = problem;
  const short = Object.entries(where).filter(([, value]) => typeof value === "string");
  return `${problemKindInfo[kind].shortDescription}. ${short.map(([key, value]) => `${key}: ${value}`).join(", ")}`;
}
