import { AgentError } from "@agents/schema/error";

/** The promise, or UNAVAILABLE when it takes longer. What it does may still be done: every call can be repeated. */
export function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(late(ms)), ms);
    promise.then(
      (value) => {
        clearTimeout(timer);
        resolve(value);
      },
      (error: unknown) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}

function late(ms: number): AgentError {
  return new AgentError(
    "UNAVAILABLE",
    `Redis did not answer within ${ms} ms; repeat the call later, or raise timeoutMs.`,
  );
}
