import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type DirectoryStoreFault, STEPS } from "../../test/directory-store/commit-version.ts";
import type { DirectoryStoreConfig } from "../../test/directory-store/open-directory-store.ts";
import { formatCrashMatrix, type ProcessSource, processContract, runProcessTest, testStoreProcesses } from "./index.ts";

/** The example store, as it should be or with a fault. */
function source(fault?: DirectoryStoreFault): ProcessSource<DirectoryStoreConfig> {
  return {
    store: new URL("../../test/directory-store/open-directory-store.ts", import.meta.url),
    async config() {
      const directory = await mkdtemp(join(tmpdir(), "directory-store-"));
      return fault === undefined ? { directory } : { directory, fault };
    },
    destroy: ({ directory }) => rm(directory, { recursive: true, force: true }),
    patienceMs: fault === undefined ? 5_000 : 1_500,
  };
}

testStoreProcesses({
  name: "a directory of versions",
  ...source(),
  steps: STEPS,
  onMatrix: (rows) => expect(formatCrashMatrix(rows)).toBe(MATRIX),
});

const MATRIX = `
| during | at the step | what was killed | what a reader sees afterwards                                                |
| ------ | ----------- | --------------- | ---------------------------------------------------------------------------- |
| begin  | \`read\`      | the worker      | nothing of the turn                                                          |
| begin  | \`written\`   | the worker      | nothing of the turn                                                          |
| begin  | \`committed\` | the worker      | the turn, pending, with its first events; expired once its lease has run out |
| append | \`read\`      | the worker      | the turn without the batch; expired once its lease has run out               |
| append | \`written\`   | the worker      | the turn without the batch; expired once its lease has run out               |
| append | \`committed\` | the worker      | the turn with the whole batch; expired once its lease has run out            |
| settle | \`read\`      | the worker      | the turn, pending; expired once its lease has run out                        |
| settle | \`written\`   | the worker      | the turn, pending; expired once its lease has run out                        |
| settle | \`committed\` | the worker      | the turn, completed, with its state, its events and the session's head       |
`.trim();

/** By fault: a sentence that it breaks, and what that says. */
const BREAKS: Readonly<Record<DirectoryStoreFault, readonly [RegExp, RegExp]>> = {
  "writes in place": [/killed at "written"/, /JSON/],
  "overwrites what another wrote": [/one linear history/, /ordinal|deeply equal|refused/],
  "answers before it writes": [/killed at "committed"/, /answered/],
  "leaves its lock behind": [/killed at "written"/, /not answered within 1500 ms/],
  "settles in two commits": [/killed at "written"/, /head|active/],
  "ignores epochs": [/refuses every write/, /to match object/],
  "does not know a repeat": [/killed at "committed"/, /a repeated begin/],
  "reads another clock": [/one linear history/, /refused|deeply equal/],
  "lies about aborts": [/races of an abort/, /what the abort was told/],
  "keeps hints to itself": [/^hints at/, /a hint of the abort/],
};

describe("the kit finds a store that", () => {
  for (const [fault, [sentence, complaint]] of Object.entries(BREAKS)) {
    it(fault, { timeout: 60_000 }, async () => {
      const test = processContract(STEPS).find(({ name }) => sentence.test(name));
      if (test === undefined) expect.fail(`No sentence is like ${sentence}.`);
      await expect(runProcessTest(source(fault as DirectoryStoreFault), test)).rejects.toThrow(complaint);
    });
  }
});
