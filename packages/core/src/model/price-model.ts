import type { Usage } from "@agents/schema/agent";
import type { ModelMiddleware } from "./model-middleware.ts";

export interface ModelPrice {
  /** Per million tokens, in `currency`. */
  readonly input: number;
  readonly output: number;
  /** Of input tokens that the provider read from its cache. @default the price of input */
  readonly cachedInput?: number;
  /** @default "USD" */
  readonly currency?: string;
}

/** Adds what each call cost to its usage, so that turns and outputs carry the sum. A cost that is there already stays. */
export function priceModel(price: ModelPrice): ModelMiddleware {
  return {
    name: "price",
    async generate(request, call, next) {
      const response = await next(request, call);
      const { usage } = response;
      if (usage === undefined || usage.cost !== undefined) return response;
      return { ...response, usage: { ...usage, cost: costOf(usage, price) } };
    },
  };
}

function costOf(usage: Usage, { input, output, cachedInput = input, currency = "USD" }: ModelPrice) {
  const { inputTokens = 0, outputTokens = 0, cachedInputTokens = 0 } = usage;
  const fresh = Math.max(0, inputTokens - cachedInputTokens);
  return { amount: (fresh * input + cachedInputTokens * cachedInput + outputTokens * output) / 1_000_000, currency };
}
