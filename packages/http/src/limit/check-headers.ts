import { HttpError } from "../edge/http-error.ts";
import type { Inbound } from "../edge/inbound.ts";

/** Refuses with 431 what is longer than the limit, counted as `name: value\r\n`. */
export function checkHeaders(inbound: Inbound, limit: number): void {
  const bytes = inbound.headerBytes();
  if (bytes <= limit) return;
  throw new HttpError(431, "RESOURCE_EXHAUSTED", `The request's headers have ${bytes} bytes; the limit is ${limit}.`, {
    details: { limit, headerBytes: bytes },
  });
}
