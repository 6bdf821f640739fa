#!/usr/bin/env node
// Run in a package's folder; what to build is read from its `exports`, what to build in from `inlined`.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "tsup";
import { copyLicenses } from "./copy-licenses.mjs";
import { packageEntries } from "./package-entries.mjs";

const packageDir = process.cwd();
const { inlined = [] } = JSON.parse(readFileSync(join(packageDir, "package.json"), "utf8"));
await build({
  config: false,
  silent: true,
  entry: Object.fromEntries(packageEntries(packageDir).map((entry) => [entry.output, entry.source])),
  format: ["esm", "cjs"],
  target: "es2022",
  platform: "neutral",
  // Shared code goes to chunks, so that AgentError imported from two subpaths is one class.
  splitting: true,
  treeshake: true,
  sourcemap: true,
  clean: true,
  dts: true,
  external: [/^node:/],
  noExternal: inlined,
  // A bare "crypto" could be a package; with its prefix it can only be Node's.
  removeNodeProtocol: false,
  outExtension: ({ format }) => ({ js: format === "cjs" ? ".cjs" : ".js", dts: format === "cjs" ? ".d.cts" : ".d.ts" }),
});
copyLicenses({ packageDir, names: inlined });
