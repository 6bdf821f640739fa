import { type ChildProcess, spawn } from "node:child_process";
import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { ServeOptions } from "../chaos-process/serve-store.ts";
import type { ProcessOptions } from "./process-options.ts";

/** Sources need what understands them; what is built runs as it is. */
const FROM_SOURCE = import.meta.url.endsWith(".ts") ? ["--conditions=@agents/source", "--import", "tsx"] : [];

/** A process that opens the store and waits for orders. Its errors can be read from `stderr`. */
export function forkProcess({ store, execArgv = [] }: ProcessOptions, config: unknown): ChildProcess {
  const options: ServeOptions = { store: store.href, config };
  const program = `const { serveStore } = await import(${text(serverUrl())}); await serveStore(${text(options)});`;
  return spawn(
    process.execPath,
    [...FROM_SOURCE, ...execArgv, "--input-type=module", "--eval", program],
    // Structured clones: undefined stays undefined, and no text is changed on the way.
    { stdio: ["ignore", "inherit", "pipe", "ipc"], serialization: "advanced" },
  );
}

/** Beside this file, or wherever the installed package has it: built files do not lie where their sources do. */
function serverUrl(): string {
  if (FROM_SOURCE.length > 0) return new URL("../chaos-process/index.ts", import.meta.url).href;
  const require = createRequire(fileURLToPath(import.meta.url));
  return pathToFileURL(require.resolve("@agents/testing/chaos-process")).href;
}

/** As a program says it. */
function text(value: unknown): string {
  return JSON.stringify(value);
}
