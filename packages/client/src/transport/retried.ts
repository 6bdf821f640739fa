import type { Status } from "@agents/schema/error";

/** Whether the same request may be answered otherwise a moment later. Only for requests that may be repeated. */
export const RETRIED = {
  INVALID_ARGUMENT: false,
  NOT_FOUND: false,
  ALREADY_EXISTS: false,
  PERMISSION_DENIED: false,
  UNAUTHENTICATED: false,
  RESOURCE_EXHAUSTED: true,
  FAILED_PRECONDITION: false,
  ABORTED: false,
  OUT_OF_RANGE: false,
  UNIMPLEMENTED: false,
  // What a server says while its store is away.
  INTERNAL: true,
  UNAVAILABLE: true,
  DATA_LOSS: false,
  DEADLINE_EXCEEDED: true,
  CANCELLED: false,
  UNKNOWN: false,
} as const satisfies Record<Status, boolean>;
