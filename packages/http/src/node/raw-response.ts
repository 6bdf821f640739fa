import { STATUS_CODES } from "node:http";
import type { Status, WireError } from "@agents/schema/error";
import { jsonReply, type Reply } from "../edge/reply.ts";

/** A whole answer as bytes on a bare socket, which is closed after it. */
export function rawResponse({ status, headers, body }: Reply): string {
  const text = typeof body === "string" ? body : "";
  const lines = Object.entries({ ...headers, "content-length": Buffer.byteLength(text), connection: "close" });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? "Error"}\r\n${head}\r\n${text}`;
}

/** Said without looking at the request any closer; the connection ends with it. */
export function refusal(status: number, canonical: Status, message: string): Reply {
  const error: WireError = { status: canonical, message };
  return jsonReply(error, { status, headers: { connection: "close" } });
}
