/** Telemetry must not break what it watches: what throws in here is gone. */
export function quietly<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}
