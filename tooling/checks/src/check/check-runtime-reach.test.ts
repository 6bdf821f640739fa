import { SOURCE_CONDITION } from "@tooling/config/build";
import { describe, expect, it } from "vitest";
import { makeGraph } from "../../test/make-graph.ts";
import { manifest, type Tree } from "../../test/make-repository.ts";
import { formatViolation } from "../violation.ts";
import { checkRuntimeReach, runtimeReach } from "./check-runtime-reach.ts";

const SRC = "packages/schema/src";

const BASE: Tree = {
  "packages/schema/package.json": manifest("@agents/schema", ["wire", "sse", "hash"]),
  [`${SRC}/wire/index.ts`]: 'import * as z from "zod";',
  [`${SRC}/hash/index.ts`]: 'import { createHash } from "node:crypto";',
  [`${SRC}/sse/index.ts`]: 'export * from "./decode.ts";',
  [`${SRC}/sse/decode.ts`]: 'import { createParser } from "eventsource-parser";',
  "packages/client/package.json": manifest("@agents/client", ["."]),
  "packages/client/src/index.ts": 'import "@agents/schema/sse";',
};

function violations(tree: Tree): string[] {
  return checkRuntimeReach(makeGraph({ ...BASE, ...tree }), [SOURCE_CONDITION]).map(formatViolation);
}

describe("checkRuntimeReach", () => {
  it("lets /wire load zod, /hash load Node, and everything load other packages", () => {
    expect(violations({})).toEqual([]);
  });

  it.each([
    'import type * as z from "zod";',
    'import type { Part } from "../wire/index.ts";',
    'let hash: typeof import("node:crypto");',
  ])("does not follow %s, which is gone at run time", (text) => {
    expect(violations({ [`${SRC}/sse/decode.ts`]: text })).toEqual([]);
  });

  it("does not look at files that no entry loads", () => {
    expect(violations({ [`${SRC}/sse/decode.test.ts`]: 'import "node:fs";' })).toEqual([]);
  });

  it("shows the way from the entry to a Node module, with or without its prefix", () => {
    expect(violations({ [`${SRC}/sse/decode.ts`]: '\nimport { Buffer } from "buffer";' })).toEqual([
      `${SRC}/sse/decode.ts:2 imports "buffer", which makes "@agents/client" load node:buffer at run time: packages/client/src/index.ts:1 -> ${SRC}/sse/index.ts:1 -> ${SRC}/sse/decode.ts:2 -> node:buffer. But it must load in a browser. Use a web API that Node has too (TextEncoder, URL, AbortSignal), or take the capability as an argument.`,
      `${SRC}/sse/decode.ts:2 imports "buffer", which makes "@agents/schema/sse" load node:buffer at run time: ${SRC}/sse/index.ts:1 -> ${SRC}/sse/decode.ts:2 -> node:buffer. But it must load in a browser. Use a web API that Node has too (TextEncoder, URL, AbortSignal), or take the capability as an argument.`,
    ]);
  });

  it("blames the import of an entry that may load the module, not that entry", () => {
    expect(violations({ "packages/client/src/index.ts": '\nexport { part } from "@agents/schema/wire";' })).toEqual([
      `packages/client/src/index.ts:2 imports "@agents/schema/wire", which makes "@agents/client" load zod at run time: packages/client/src/index.ts:2 -> ${SRC}/wire/index.ts:1 -> zod. But zod must not end up in the client's bundle. Write "import type", or move what needs the schema to where "@agents/schema/wire" may be loaded.`,
    ]);
  });

  it("counts an import whose names are all types, because it loads the module", () => {
    const found = violations({ [`${SRC}/sse/decode.ts`]: 'import { type Part } from "../wire/index.ts";' });
    expect(found.map((line) => line.split(":")[0])).toEqual([`${SRC}/sse/decode.ts`, `${SRC}/sse/decode.ts`]);
  });

  it("tells all that an entry loads", () => {
    expect([...runtimeReach(makeGraph(BASE), "packages/client/src/index.ts").keys()]).toEqual(["eventsource-parser"]);
  });
});
