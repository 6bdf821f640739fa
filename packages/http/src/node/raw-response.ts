import { STATUS_CODES } from "node:http";
import type { Reply } from "../edge/reply.ts";

/** A whole answer as bytes on a bare socket, which is closed after it. */
export function rawResponse({ status, headers, body }: Reply): string {
  const text = typeof body === "string" ? body : "";
  const lines = Object.entries({ ...headers, "content-length": Buffer.byteLength(text), connection: "close" });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? "Error"}\r\n${head}\r\n${text}`;
}
