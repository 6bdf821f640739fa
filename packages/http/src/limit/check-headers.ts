import type { Peer } from "../edge/exchange.ts";
import { HttpError } from "../edge/http-error.ts";

/** Refuses with 431 what is longer than the limit, counted as `name: value\r\n`. */
export function checkHeaders(request: Request, peer: Peer, limit: number): void {
  const bytes = peer.headerBytes ?? countHeaderBytes(request.headers);
  if (bytes <= limit) return;
  throw new HttpError(431, "RESOURCE_EXHAUSTED", `The request's headers have ${bytes} bytes; the limit is ${limit}.`, {
    details: { limit, headerBytes: bytes },
  });
}

function countHeaderBytes(headers: Headers): number {
  let bytes = 0;
  headers.forEach((value, name) => {
    bytes += name.length + value.length + 4;
  });
  return bytes;
}
