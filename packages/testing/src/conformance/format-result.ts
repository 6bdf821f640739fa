import type { CaseResult } from "./run-case.ts";

/** A failing case for people: what was expected where, and what was there. One line for a case that passed. */
export function formatResult({ name, failure }: CaseResult): string {
  if (failure === undefined) return `ok    ${name}`;
  const lines = failure.mismatches.flatMap(({ at, expected, actual }) => [
    `      ${at}`,
    `        expected ${shown(expected)}`,
    `        actual   ${shown(actual)}`,
  ]);
  return [`FAIL  ${name} (step ${failure.step}, ${failure.type})`, ...lines].join("\n");
}

/** The last line. */
export function formatCount(results: readonly CaseResult[]): string {
  const failed = results.filter(({ failure }) => failure !== undefined).length;
  return `${results.length - failed} passed, ${failed} failed`;
}

const LONGEST = 2_000;

function shown(value: unknown): string {
  const text = value === undefined ? "nothing" : JSON.stringify(value);
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}… (${text.length} characters)`;
}
