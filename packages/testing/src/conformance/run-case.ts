import { Captures } from "./captures.ts";
import type { ConformanceCase, Step } from "./case-file.ts";
import { describeError } from "./describe-error.ts";
import type { Harness } from "./harness.ts";
import type { Mismatch } from "./match.ts";
import { runStep } from "./run-step.ts";
import { createStepModel } from "./step-model.ts";

export interface CaseFailure {
  /** From 1. */
  readonly step: number;
  readonly type: Step["type"] | "open";
  readonly mismatches: readonly Mismatch[];
}

export interface CaseResult {
  readonly name: string;
  /** Absent: it passed. A case ends at its first step that fails, since the others build on it. */
  readonly failure?: CaseFailure;
}

/** Runs a case against an agent of its own. Never rejects: what goes wrong is the case's failure. */
export async function runCase(harness: Harness, test: ConformanceCase): Promise<CaseResult> {
  const model = createStepModel();
  const settled = (test.requires ?? []).length > 0;
  const { name } = test;
  try {
    const { agent, close } = await harness({ agent: test.agent, settled, model });
    try {
      const failure = await runSteps(test, { agent, model, captures: new Captures() });
      return failure === undefined ? { name } : { name, failure };
    } finally {
      await close();
    }
  } catch (error) {
    return { name, failure: { step: 0, type: "open", mismatches: [unexpected(error)] } };
  }
}

async function runSteps(
  { steps }: ConformanceCase,
  tools: Parameters<typeof runStep>[0],
): Promise<CaseFailure | undefined> {
  for (const [index, step] of steps.entries()) {
    const found = await attempt(tools, step);
    if (found.length > 0) return { step: index + 1, type: step.type, mismatches: found };
  }
  return undefined;
}

async function attempt(tools: Parameters<typeof runStep>[0], step: Step): Promise<Mismatch[]> {
  try {
    return await runStep(tools, tools.captures.fill(step));
  } catch (error) {
    return [unexpected(error)];
  }
}

function unexpected(error: unknown): Mismatch {
  return { at: "error", expected: undefined, actual: describeError(error) };
}
