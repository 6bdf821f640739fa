/** The canonical statuses. Closed on purpose: every mapping over them is a complete record. */
export const STATUSES = [
  "INVALID_ARGUMENT",
  "NOT_FOUND",
  "ALREADY_EXISTS",
  "PERMISSION_DENIED",
  "UNAUTHENTICATED",
  "RESOURCE_EXHAUSTED",
  "FAILED_PRECONDITION",
  "ABORTED",
  "OUT_OF_RANGE",
  "UNIMPLEMENTED",
  "INTERNAL",
  "UNAVAILABLE",
  "DATA_LOSS",
  "DEADLINE_EXCEEDED",
  "CANCELLED",
  "UNKNOWN",
] as const;

export type Status = (typeof STATUSES)[number];

const KNOWN: ReadonlySet<unknown> = new Set(STATUSES);

export function isStatus(value: unknown): value is Status {
  return KNOWN.has(value);
}
