import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { runRepositoryChecks } from "./repository-checks.ts";
import { formatViolation } from "./violation.ts";

const { counts, results } = runRepositoryChecks(fileURLToPath(new URL("../../..", import.meta.url)).replace(/\/$/, ""));

describe("this repository", () => {
  it("is what the checks looked at", () => {
    expect(counts.packages).toBeGreaterThan(2);
    expect(counts.imports).toBeGreaterThan(counts.files);
  });

  it.each(results)("has no violation of: $name", ({ violations }) => {
    expect(violations.map(formatViolation)).toEqual([]);
  });
});
