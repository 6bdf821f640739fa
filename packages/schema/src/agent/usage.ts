import * as z from "zod";
import { open } from "./open-object.ts";

const count = () => z.number().nonnegative().optional();

/** What the model calls of a turn or an invocation used, summed. A figure the provider did not give is absent. */
export const UsageSchema = open({
  modelCalls: count(),
  inputTokens: count(),
  outputTokens: count(),
  totalTokens: count(),
  /** Part of `inputTokens` that the provider read from its cache. */
  cachedInputTokens: count(),
  /** Part of `outputTokens` that was reasoning. */
  reasoningTokens: count(),
  cost: open({ amount: z.number(), currency: z.string().min(1) }).optional(),
});
export type Usage = z.infer<typeof UsageSchema>;
