/**
 * Runs `read` so that no two runs overlap. Who asks while one is under way gets the next, which all of them share: the
 * one under way may have looked already.
 */
export function createRefresher(read: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const refresh = (): Promise<void> => {
    if (running === undefined) {
      running = read().finally(() => {
        running = undefined;
      });
      return running;
    }
    next ??= running
      .catch(() => {})
      .then(() => {
        next = undefined;
        return refresh();
      });
    return next;
  };
  return refresh;
}
