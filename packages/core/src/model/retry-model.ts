import { type RetryOptions, withBackoff } from "../clock/backoff.ts";
import type { ModelMiddleware } from "./model-middleware.ts";
import { watchChunks } from "./sent-chunks.ts";

/**
 * Asks again when the model was away, busy or slow. An answer that has begun to stream is not asked for again: the client
 * would read its beginning twice.
 */
export function retryModel(options: RetryOptions = {}): ModelMiddleware {
  return {
    name: "retry",
    generate(request, call, next) {
      const watched = watchChunks(call);
      const mayRepeat = (): boolean => !watched.hasSent();
      return withBackoff(options, { signal: call.signal, mayRepeat }, () => next(request, watched.call));
    },
  };
}
