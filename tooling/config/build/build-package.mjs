#!/usr/bin/env node
// Run in a package's folder; what to build is read from its `exports`.
import { build } from "tsup";
import { packageEntries } from "./package-entries.mjs";

const packageDir = process.cwd();
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
  // A bare "crypto" could be a package; with its prefix it can only be Node's.
  removeNodeProtocol: false,
  outExtension: ({ format }) => ({ js: format === "cjs" ? ".cjs" : ".js", dts: format === "cjs" ? ".d.cts" : ".d.ts" }),
});
