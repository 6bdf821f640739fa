import { cpSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { build } from "tsup";

/**
 * Writes the page's script, bundled, and its files (html, css, svg) to `outDir`.
 * @param {{ pageDir: string, outDir: string, conditions?: string[], minify?: boolean }} options `conditions`: to bundle from sources
 */
export async function buildPage({ pageDir, outDir, conditions = [], minify = false }) {
  mkdirSync(outDir, { recursive: true });
  await build({
    config: false,
    silent: true,
    entry: { main: join(pageDir, "main.ts") },
    outDir,
    format: ["esm"],
    target: "es2022",
    platform: "browser",
    noExternal: [/./],
    splitting: false,
    sourcemap: true,
    minify,
    outExtension: () => ({ js: ".js" }),
    esbuildOptions: (options) => {
      options.conditions = conditions;
    },
  });
  for (const file of readdirSync(pageDir)) {
    if (/\.(html|css|svg)$/.test(file)) cpSync(join(pageDir, file), join(outDir, file));
  }
}
