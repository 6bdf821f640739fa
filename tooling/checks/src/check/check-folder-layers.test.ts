import { describe, expect, it } from "vitest";
import { makeGraph } from "../../test/make-graph.ts";
import { manifest, type Tree } from "../../test/make-repository.ts";
import { formatViolation } from "../violation.ts";
import { checkFolderLayers } from "./check-folder-layers.ts";

const SRC = "packages/schema/src";

const BASE: Tree = {
  "packages/schema/package.json": manifest("@agents/schema", ["error", "patch", "sse", "wire", "port"]),
  [`${SRC}/error/index.ts`]: 'export { AgentError } from "./agent-error.ts";',
  [`${SRC}/error/agent-error.ts`]: "export class AgentError extends Error {}",
  [`${SRC}/patch/index.ts`]: "export const diff = 1;",
  [`${SRC}/sse/index.ts`]: "export const decode = 1;",
  [`${SRC}/wire/index.ts`]: "export const part = 1;\nexport type Part = 1;",
  [`${SRC}/port/index.ts`]: "export interface Store {}",
  "packages/core/package.json": manifest("@agents/core", ["."]),
  "packages/core/src/index.ts": 'import { run } from "./turn/run.ts";',
  "packages/core/src/turn/run.ts": 'import { send } from "../channel/send.ts";\nexport const run = send;',
  "packages/core/src/channel/send.ts": "export const send = 1;",
};

function violations(tree: Tree): string[] {
  return checkFolderLayers(makeGraph({ ...BASE, ...tree })).map(formatViolation);
}

describe("checkFolderLayers", () => {
  it("finds nothing in a package in order", () => {
    expect(violations({})).toEqual([]);
  });

  it.each([
    ["sse/a.ts", 'import { AgentError } from "../error/index.ts";'],
    ["error/a.ts", 'import { AgentError } from "./agent-error.ts";'],
    ["wire/route/a.ts", 'import { part } from "../index.ts";'],
    ["port/a.ts", 'import type { Part } from "../wire/index.ts";'],
    ["port/a.ts", 'import { AgentError } from "../error/index.ts";'],
    [
      "sse/a.test.ts",
      'import { AgentError } from "../error/agent-error.ts"; import { diff } from "../patch/index.ts";',
    ],
  ])("lets %s have %s", (file, text) => {
    expect(violations({ [`${SRC}/${file}`]: text })).toEqual([]);
  });

  it.each([
    [
      "a folder of the same level",
      "sse/a.ts",
      '\n\nimport { diff } from "../patch/index.ts";',
      `${SRC}/sse/a.ts:3 imports "../patch/index.ts", but src/sse/ may import src/error/, src/json/. Move what both folders need to a folder below both, or pass it in as an argument.`,
    ],
    [
      "a higher folder",
      "error/a.ts",
      'import type { Part } from "../wire/index.ts";',
      `${SRC}/error/a.ts:1 imports "../wire/index.ts", but src/error/ may import no other folder. Move what both folders need to a folder below both, or pass it in as an argument.`,
    ],
    [
      "a lower folder that the table leaves out",
      "port/a.ts",
      'import type { Decoder } from "../sse/index.ts";',
      `${SRC}/port/a.ts:1 imports "../sse/index.ts", but src/port/ may import src/error/, and types from src/agent/, src/patch/, src/route/, src/wire/. Move what both folders need to a folder below both, or pass it in as an argument.`,
    ],
    [
      "a value where only types are allowed",
      "port/a.ts",
      'import { part, type Part } from "../wire/index.ts";',
      `${SRC}/port/a.ts:1 imports "../wire/index.ts" at run time, but src/port/ may import src/error/, and types from src/agent/, src/patch/, src/route/, src/wire/. Write import type { part, Part } from "../wire/index.ts".`,
    ],
    [
      "an inline type, which loads the module as well",
      "port/a.ts",
      'export { type Part } from "../wire/index.ts";',
      `${SRC}/port/a.ts:1 imports "../wire/index.ts" at run time, but src/port/ may import src/error/, and types from src/agent/, src/patch/, src/route/, src/wire/. Write export type { Part } from "../wire/index.ts".`,
    ],
    [
      "a dynamic import where only types are allowed",
      "port/a.ts",
      'const wire = await import("../wire/index.ts");',
      `${SRC}/port/a.ts:1 imports "../wire/index.ts" at run time, but src/port/ may import src/error/, and types from src/agent/, src/patch/, src/route/, src/wire/. Write a type import instead.`,
    ],
    [
      "a file inside another folder",
      "sse/a.ts",
      'import { AgentError } from "../error/agent-error.ts";',
      `${SRC}/sse/a.ts:1 imports "../error/agent-error.ts", a file inside src/error/; other folders enter it through its index.ts, as users do. Write import { AgentError } from "../error/index.ts".`,
    ],
  ])("refuses %s", (_what, file, text, message) => {
    expect(violations({ [`${SRC}/${file}`]: text })).toEqual([message]);
  });

  it("refuses a file of src/ itself in a folder below", () => {
    expect(violations({ "packages/core/src/turn/a.ts": 'export * from "../index.ts";' })).toEqual([
      'packages/core/src/turn/a.ts:1 imports "../index.ts", but files directly in src/ stand above src/turn/. Import from the folder that defines it.',
    ]);
  });

  it("says once where to add a folder that has no level", () => {
    const tree = { [`${SRC}/new/a.ts`]: 'import "../wire/index.ts";', [`${SRC}/new/b.ts`]: "" };
    expect(violations(tree)).toEqual([
      `${SRC}/new/a.ts:1 src/new/ has no level. Add "new" to the levels of "@agents/schema" in tooling/checks/src/layer-table.ts, above the folders it imports.`,
    ]);
  });
});
