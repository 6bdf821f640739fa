import { AgentError } from "../error/index.ts";
import type { SseFrame } from "./sse-frame.ts";

/** Line breaks as the SSE grammar knows them. */
const LINE_BREAK = /\r\n|\n|\r/;

/**
 * The text of one frame, blank line included. Without `id` and `event` it is a single `data:` field, which is all
 * that clients of the POST stream understand. Line breaks in data are kept in kind only: a decoder gives back `\n`.
 */
export function encodeSse(frame: SseFrame): string {
  const id = frame.id === undefined ? "" : `id: ${oneLine("id", frame.id)}\n`;
  const event = frame.event === undefined ? "" : `event: ${oneLine("event", frame.event)}\n`;
  return `${id}${event}${dataLines(frame.data)}\n`;
}

/** A comment, which decoders pass over: keeps proxies from closing a quiet stream. */
export function encodeSseComment(text: string): string {
  return `: ${oneLine("comment", text)}\n\n`;
}

function dataLines(data: string): string {
  // JSON.stringify never leaves a raw line break, so nearly every frame takes this path.
  if (!data.includes("\n") && !data.includes("\r")) return `data: ${data}\n`;
  return data
    .split(LINE_BREAK)
    .map((line) => `data: ${line}\n`)
    .join("");
}

/** A line break here would let a value write frames of its own; a NUL makes decoders drop the id. */
function oneLine(field: string, value: string): string {
  if (LINE_BREAK.test(value) || value.includes("\0")) {
    throw new AgentError(
      "INVALID_ARGUMENT",
      `An SSE ${field} must be one line without NUL, got ${JSON.stringify(value.slice(0, 80))}.`,
    );
  }
  return value;
}
