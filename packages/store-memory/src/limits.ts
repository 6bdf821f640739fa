import { AgentError } from "@agents/schema/error";

export interface Limits {
  readonly maxSessions: number;
  readonly maxTurnsPerSession: number;
  readonly maxEvents: number;
}

const DEFAULTS: Limits = { maxSessions: 10_000, maxTurnsPerSession: 1_000, maxEvents: 1_000_000 };

/** Two turns at least: the head is never evicted, and the next turn needs room beside it. */
const LEAST: Limits = { maxSessions: 1, maxTurnsPerSession: 2, maxEvents: 1 };

const NAMES = ["maxSessions", "maxTurnsPerSession", "maxEvents"] as const satisfies readonly (keyof Limits)[];

/** Throws INVALID_ARGUMENT for a limit that is no whole number (Infinity aside) or too small to work. */
export function resolveLimits(options: Partial<Limits>): Limits {
  const limits = {
    maxSessions: options.maxSessions ?? DEFAULTS.maxSessions,
    maxTurnsPerSession: options.maxTurnsPerSession ?? DEFAULTS.maxTurnsPerSession,
    maxEvents: options.maxEvents ?? DEFAULTS.maxEvents,
  };
  for (const name of NAMES) refuseUnusable(name, limits[name]);
  return limits;
}

function refuseUnusable(name: keyof Limits, value: number): void {
  if ((Number.isInteger(value) || value === Number.POSITIVE_INFINITY) && value >= LEAST[name]) return;
  throw new AgentError(
    "INVALID_ARGUMENT",
    `${name} is ${value}; it takes a whole number of at least ${LEAST[name]}, or Infinity.`,
    { details: { option: name, value: String(value), least: LEAST[name] } },
  );
}
