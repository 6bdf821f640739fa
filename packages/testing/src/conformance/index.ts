export { type ConformanceCase, parseCaseFile, type Step } from "./case-file.ts";
export { formatCount, formatResult } from "./format-result.ts";
export type { Harness, HarnessRequest, OpenedAgent } from "./harness.ts";
export { type Mismatch, mismatches } from "./match.ts";
export { type CaseFailure, type CaseResult, runCase } from "./run-case.ts";
