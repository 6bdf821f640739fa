import type { Usage } from "@agents/schema/agent";

const COUNTS = [
  "modelCalls",
  "inputTokens",
  "outputTokens",
  "totalTokens",
  "cachedInputTokens",
  "reasoningTokens",
] as const satisfies readonly (keyof Usage)[];

/** The sum of two usages. A figure that neither has stays absent; costs in different currencies cannot be added, and the first stays. */
export function addUsage(a: Usage, b: Usage): Usage {
  // Most turns of agents that call no model end here.
  if (Object.keys(b).length === 0) return a;
  const sum: Usage = { ...a, ...b };
  for (const count of COUNTS) {
    const [x, y] = [a[count], b[count]];
    if (x !== undefined || y !== undefined) sum[count] = (x ?? 0) + (y ?? 0);
  }
  if (a.cost !== undefined && b.cost !== undefined) {
    const same = a.cost.currency === b.cost.currency;
    sum.cost = same ? { ...a.cost, amount: a.cost.amount + b.cost.amount } : a.cost;
  }
  return sum;
}
