/** Time, so that tests own it. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls back once after `ms`; what it returns cancels. Does not keep the process alive. */
  setTimer(ms: number, callback: () => void): () => void;
}

/** Randomness that becomes ids, so that tests can foretell them. */
export interface IdSource {
  /** A UUID: unique over all processes and all time. */
  uuid(): string;
}
