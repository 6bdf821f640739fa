import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { formatCrashMatrix, testStoreProcesses } from "@agents/testing/chaos";
import { expect } from "vitest";
import { FILE_STORE_STEPS } from "./index.ts";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");

/** Cells alone: a formatter aligns the columns. */
const cells = (table: string): string => table.replaceAll(/ +/g, " ").replaceAll(/-+/g, "-");

testStoreProcesses({
  name: "file",
  store: new URL("../test/crash-store.ts", import.meta.url),
  execArgv: ["--conditions=@agents/source", "--import", "tsx"],
  config: () => ({ directory: mkdtempSync(join(tmpdir(), "crash-")) }),
  destroy: ({ directory }) => rmSync(directory, { recursive: true, force: true }),
  steps: [...FILE_STORE_STEPS],
  onMatrix: (rows) => expect(cells(readme)).toContain(cells(formatCrashMatrix(rows))),
});
