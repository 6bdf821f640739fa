import type { WireError } from "@agents/schema/error";
import type { PositionedChunk, Restarted } from "@agents/schema/port";
import { encodeSse, encodeSseComment } from "@agents/schema/sse";

/** Headers that keep proxies and compression from holding frames back. */
export const STREAM_HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
} as const;

// JSON text has no line break, so a frame is one line. Written out: this is the hottest line of the package.

/** `data: {"message":…,"position":…}`: older clients parse from the 7th character, so there is nothing else in it. */
export function messageFrame(message: unknown, position?: string): string {
  return `data: ${messageJson(message, position)}\n\n`;
}

export function resultFrame(result: unknown): string {
  return `data: {"result":${JSON.stringify(result ?? null)}}\n\n`;
}

export function errorFrame(error: WireError): string {
  return `data: {"error":${JSON.stringify(error)}}\n\n`;
}

/** A frame of a turn that is followed: its position is its id, which comes back as `Last-Event-ID`. */
export function followFrame(item: PositionedChunk | Restarted): string {
  const { position } = item;
  const data = "restarted" in item ? JSON.stringify({ restarted: true, position }) : messageJson(item.chunk, position);
  return encodeSse({ data, ...(position === undefined ? {} : { id: position }) });
}

export const KEEPALIVE = encodeSseComment("keepalive");

function messageJson(message: unknown, position: string | undefined): string {
  const text = textChunkJson(message) ?? JSON.stringify(message) ?? "null";
  return position === undefined ? `{"message":${text}}` : `{"message":${text},"position":${JSON.stringify(position)}}`;
}

/**
 * The same text as JSON.stringify makes, in a third of the time, for the chunk that nearly all are: one piece of text.
 * Undefined for any other value.
 */
function textChunkJson(message: unknown): string | undefined {
  const modelChunk = onlyMember(message, "modelChunk");
  if (typeof modelChunk !== "object" || modelChunk === null || "toJSON" in modelChunk) return undefined;
  let json = "";
  for (const key in modelChunk) {
    const value: unknown = modelChunk[key as never];
    let text: string | undefined;
    if (key === "content") text = textContentJson(value);
    else if (key === "role" && (value === "model" || value === "tool")) text = `"${value}"`;
    else if (key === "index" && Number.isSafeInteger(value)) text = `${value as number}`;
    if (text === undefined) return undefined;
    json += `${json === "" ? "" : ","}"${key}":${text}`;
  }
  return `{"modelChunk":{${json}}}`;
}

function textContentJson(content: unknown): string | undefined {
  if (!Array.isArray(content) || content.length !== 1) return undefined;
  const text = onlyMember(content[0], "text");
  return typeof text === "string" ? `[{"text":${JSON.stringify(text)}}]` : undefined;
}

/** Its value, if it is the only one that JSON would show. */
function onlyMember(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || "toJSON" in value) return undefined;
  for (const key in value) if (key !== name) return undefined;
  return Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
}
