/** A rejection for those who await it. Nobody else hears of it: it does not end the process as an unhandled one. */
export function quietRejection(error: unknown): Promise<never> {
  const promise = Promise.reject(error);
  promise.catch(() => {});
  return promise;
}
