import * as z from "zod";

/** Why a turn or an invocation ended. The first six are a model's own; the last three are ours. */
export const FinishReasonSchema = z.enum([
  "stop",
  "length",
  "blocked",
  "interrupted",
  "other",
  "unknown",
  "aborted",
  "detached",
  "failed",
]);
export type FinishReason = z.infer<typeof FinishReasonSchema>;
