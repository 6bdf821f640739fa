import type { Status } from "./status.ts";

/**
 * The HTTP status each canonical status is sent with.
 *
 * FAILED_PRECONDITION is 400, as in the canonical mapping that existing clients know; routes whose precondition is
 * the state of a resource (resolving an interaction twice) answer 409 themselves.
 */
export const HTTP_STATUS = {
  INVALID_ARGUMENT: 400,
  FAILED_PRECONDITION: 400,
  OUT_OF_RANGE: 400,
  UNAUTHENTICATED: 401,
  PERMISSION_DENIED: 403,
  NOT_FOUND: 404,
  ALREADY_EXISTS: 409,
  ABORTED: 409,
  RESOURCE_EXHAUSTED: 429,
  CANCELLED: 499,
  INTERNAL: 500,
  DATA_LOSS: 500,
  UNKNOWN: 500,
  UNIMPLEMENTED: 501,
  UNAVAILABLE: 503,
  DEADLINE_EXCEEDED: 504,
} as const satisfies Record<Status, number>;

/** For a peer that answered with a bare HTTP status: the nearest canonical one. */
export function statusFromHttp(httpStatus: number): Status {
  return FROM_HTTP[httpStatus] ?? (httpStatus >= 500 ? "INTERNAL" : httpStatus >= 400 ? "INVALID_ARGUMENT" : "UNKNOWN");
}

const FROM_HTTP: Readonly<Record<number, Status>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  408: "DEADLINE_EXCEEDED",
  409: "ABORTED",
  412: "FAILED_PRECONDITION",
  413: "RESOURCE_EXHAUSTED",
  416: "OUT_OF_RANGE",
  429: "RESOURCE_EXHAUSTED",
  431: "RESOURCE_EXHAUSTED",
  499: "CANCELLED",
  500: "INTERNAL",
  501: "UNIMPLEMENTED",
  502: "UNAVAILABLE",
  503: "UNAVAILABLE",
  504: "DEADLINE_EXCEEDED",
};
