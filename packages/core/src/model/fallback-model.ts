import { AgentError, type Status } from "@agents/schema/error";
import type { Model } from "@agents/schema/port";
import { RETRYABLE } from "../clock/backoff.ts";
import type { ModelMiddleware } from "./model-middleware.ts";
import { watchChunks } from "./sent-chunks.ts";

export interface FallbackOptions {
  /** What another model may be asked for instead. @default UNAVAILABLE, RESOURCE_EXHAUSTED, DEADLINE_EXCEEDED */
  readonly statuses?: readonly Status[];
}

/**
 * Asks other models, in order, when the one before could not answer. As with `retryModel`, an answer that has begun to
 * stream is not begun anew. Rejects with the error of the last one asked.
 */
export function fallbackModel(
  models: readonly Model[],
  { statuses = RETRYABLE }: FallbackOptions = {},
): ModelMiddleware {
  return {
    name: "fallback",
    async generate(request, call, next) {
      const watched = watchChunks(call);
      const ways = [
        next,
        ...models.map(
          (model): typeof next =>
            (asked, by) =>
              model.generate(asked, by),
        ),
      ];
      for (const [index, way] of ways.entries()) {
        try {
          return await way(request, watched.call);
        } catch (error) {
          const isLast = index === ways.length - 1;
          const mayPass = AgentError.is(error) && statuses.includes(error.status);
          if (isLast || !mayPass || watched.hasSent() || call.signal.aborted) throw error;
        }
      }
      throw new AgentError("INTERNAL", "A fallback has at least one way to ask.");
    },
  };
}
