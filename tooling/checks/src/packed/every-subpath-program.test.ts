import { expect, it } from "vitest";
import { manifest } from "../../test/make-repository.ts";
import type { Manifest, WorkspacePackage } from "../graph/workspace.ts";
import { everySubpathProgram } from "./every-subpath-program.ts";

function pkg(name: string, folders: readonly string[]): WorkspacePackage {
  return { name, group: "packages", dir: "", manifest: manifest(name, folders) as Manifest, files: [] };
}

const PACKAGES = [pkg("@agents/schema", ["sse", "hash"]), pkg("@agents/core", ["."])];

it("imports whatever the packages export, so that a new subpath needs no edit", () => {
  const program = everySubpathProgram(PACKAGES, { browserOnly: false });
  expect(program.match(/^import .*$/gm)).toEqual([
    'import * as entry0 from "@agents/schema/sse";',
    'import * as entry1 from "@agents/schema/hash";',
    'import * as entry2 from "@agents/core";',
  ]);
  expect(program).toContain('  "@agents/core": namesOf(entry2),\n');
});

it("leaves out what loads inside a test runner alone", () => {
  const testing = [pkg("@agents/testing", [".", "store"])];
  expect(everySubpathProgram(testing, { browserOnly: false }).match(/"@agents[^"]+"/g)).toEqual([
    '"@agents/testing"',
    '"@agents/testing"',
  ]);
});

it("leaves out of the browser's program what may load Node modules", () => {
  const program = everySubpathProgram(PACKAGES, { browserOnly: true });
  expect(program.match(/"@agents[^"]+"/g)).toEqual(['"@agents/schema/sse"', '"@agents/schema/sse"']);
});
