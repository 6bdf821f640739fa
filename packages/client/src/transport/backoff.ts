export interface Backoff {
  /** The first wait, in milliseconds; each further one is twice the one before. */
  readonly baseMs: number;
  /** The longest wait, in milliseconds. */
  readonly maxMs: number;
}

/**
 * How long to wait before the next attempt after so many failed ones: between half and all of the doubled wait, so that
 * the clients of a server that was restarted do not come back in the same moment.
 */
export function backoffMs({ baseMs, maxMs }: Backoff, failures: number, random: () => number): number {
  // The exponent is bounded, because 2 ** 2000 is Infinity and 0 * Infinity is no number.
  const full = Math.min(maxMs, baseMs * 2 ** Math.min(Math.max(0, failures - 1), 30));
  return full * (0.5 + random() / 2);
}
