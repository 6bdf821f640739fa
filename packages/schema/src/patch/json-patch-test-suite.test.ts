import { createRequire } from "node:module";
import { describe, expect, it } from "vitest";
import { AgentError } from "../error/index.ts";
import { applyPatch } from "./apply-patch.ts";
import type { PatchOperation } from "./patch-operation.ts";

interface Case {
  comment?: string;
  doc: unknown;
  patch: PatchOperation[];
  expected?: unknown;
  error?: string;
  disabled?: boolean;
}

/**
 * Of the four disabled cases, two repeat a member name within one operation ("op" twice), which JSON.parse resolves
 * before any library sees it; they cannot be run. The other two (a scalar as the document, a test of the whole
 * document) are run like the enabled ones.
 */
const UNTESTABLE = /two 'op' members/;

describe.each(["spec_tests.json", "tests.json"])("the public JSON Patch suite, %s", (file) => {
  const cases: Case[] = createRequire(import.meta.url)(`json-patch-test-suite/${file}`);
  const testable = cases.filter(({ error }) => !UNTESTABLE.test(error ?? ""));

  it("is there, and nothing but repeated member names is left out", () => {
    expect(cases.length).toBeGreaterThan(15);
    expect(cases.length - testable.length).toBe(1);
  });

  it.each(testable.map((test) => [test.comment ?? JSON.stringify(test.patch), test] as const))("%s", (_, test) => {
    const before = JSON.stringify([test.doc, test.patch]);
    const run = () => applyPatch(test.doc, test.patch);
    if (test.error === undefined) expect(run()).toEqual("expected" in test ? test.expected : test.doc);
    else expect(run).toThrow(AgentError);
    expect(JSON.stringify([test.doc, test.patch])).toBe(before);
  });
});
