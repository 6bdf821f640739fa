#!/usr/bin/env node
// Builds an app: `src/server/main.ts` for Node, `src/page/main.ts` with all it imports for the browser.
import { build } from "tsup";
import { buildPage } from "./build-page.mjs";

await build({
  config: false,
  silent: true,
  entry: { main: "src/server/main.ts" },
  outDir: "dist/server",
  format: ["esm"],
  target: "es2022",
  platform: "node",
  sourcemap: true,
  clean: true,
  outExtension: () => ({ js: ".js" }),
});
await buildPage({ pageDir: "src/page", outDir: "dist/page" });
