import { createParser } from "eventsource-parser";
import { AgentError } from "../error/index.ts";
import type { SseFrame } from "./sse-frame.ts";

export interface SseDecoderOptions {
  onFrame: (frame: SseFrame) => void;
  onComment?: (text: string) => void;
  /**
   * Longest frame, in characters of its lines; a longer one throws RESOURCE_EXHAUSTED, however its bytes were cut, and
   * so does every later call. @default 16_777_216
   */
  maxFrameLength?: number;
}

export interface SseEnd {
  /** The stream stopped inside a frame: something was lost. A comment that was cut is no loss. */
  readonly truncated: boolean;
  /** What had arrived of that frame. Its data may lack its end, so check it before use. */
  readonly partial?: SseFrame;
}

export interface SseDecoder {
  /** Takes bytes cut anywhere: inside a character, inside `\r\n`, inside a field name. Frames come out at once. */
  push(bytes: Uint8Array): void;
  /** To be called once, when the bytes have ended. */
  end(): SseEnd;
}

export const DEFAULT_MAX_FRAME_LENGTH = 16 * 1024 * 1024;

const PROBE = "end";

/**
 * Decodes server-sent events from bytes. eventsource-parser does the grammar; this adds characters and line ends split
 * between pushes, the size limit, and the account of how the stream ended, which the grammar itself discards.
 */
export function createSseDecoder({
  onFrame,
  onComment,
  maxFrameLength = DEFAULT_MAX_FRAME_LENGTH,
}: SseDecoderOptions): SseDecoder {
  const utf8 = new TextDecoder();
  const toLineFeeds = createLineFeeds();
  const feed = createFrameMeter(maxFrameLength, (text) => parser.feed(text));
  let probing = false;
  let end: SseEnd = { truncated: false };

  const parser = createParser({
    onEvent: ({ data, id, event }) => {
      const frame = { data, ...(id === undefined ? {} : { id }), ...(event === undefined ? {} : { event }) };
      if (probing) end = endAt(frame, end);
      else onFrame(frame);
    },
    onError: () => {
      // A field name that is unknown only because its line was cut. In the middle of a stream the grammar ignores it.
      if (probing) end = { truncated: true };
    },
    ...(onComment === undefined ? {} : { onComment }),
  });

  return {
    push: (bytes) => feed(toLineFeeds(utf8.decode(bytes, { stream: true }))),
    end: () => {
      const atLineStart = feed(toLineFeeds(utf8.decode()));
      // A data line of our own completes whatever is pending; what the frame holds beside it was cut off.
      probing = true;
      parser.feed(`${atLineStart ? "" : "\n"}data: ${PROBE}\n\n`);
      return end;
    },
  };
}

/**
 * Passes text on, frame by frame, and refuses a frame that is too long. The count is of the text since the last blank
 * line, so it does not depend on where the text was cut. Returns whether the text so far ends at the start of a line.
 */
function createFrameMeter(limit: number, pass: (text: string) => void): (text: string) => boolean {
  let length = 0;
  let lastChar = "\n";
  let failure: AgentError | undefined;

  function count(text: string): void {
    let from = 0;
    // A blank line is two line feeds in a row, the first of which may have come with an earlier piece.
    let blank = lastChar === "\n" && text.startsWith("\n") ? 0 : text.indexOf("\n\n") + 1 || -1;
    while (blank >= 0) {
      grow(blank - from, text, from);
      length = 0;
      from = blank + 1;
      const next = text[from] === "\n" ? from : text.indexOf("\n\n", from) + 1 || -1;
      blank = next;
    }
    grow(text.length - from, text, from);
  }

  function grow(by: number, text: string, from: number): void {
    length += by;
    if (length <= limit) return;
    // Frames before this one are whole and are passed on.
    pass(text.slice(0, from));
    failure = new AgentError(
      "RESOURCE_EXHAUSTED",
      `An SSE frame is longer than ${limit} characters; raise maxFrameLength if the server may send such frames.`,
      { details: { limit } },
    );
    throw failure;
  }

  return (text) => {
    if (failure !== undefined) throw failure;
    if (text === "") return lastChar === "\n";
    count(text);
    lastChar = text.charAt(text.length - 1);
    pass(text);
    return lastChar === "\n";
  };
}

/**
 * Writes `\r\n` and `\r` as `\n`, also where a cut falls between the two. Given a `\r`, the parser itself waits for
 * what follows, and so for a frame that is already whole.
 */
function createLineFeeds(): (text: string) => string {
  let afterReturn = false;
  return (text) => {
    if (text === "") return text;
    const rest = afterReturn && text.startsWith("\n") ? text.slice(1) : text;
    afterReturn = text.endsWith("\r");
    return rest.includes("\r") ? rest.replace(/\r\n?/g, "\n") : rest;
  };
}

function endAt(frame: SseFrame, soFar: SseEnd): SseEnd {
  const nothingPending = frame.data === PROBE && frame.id === undefined && frame.event === undefined;
  if (nothingPending) return soFar;
  return { truncated: true, partial: { ...frame, data: frame.data.slice(0, -PROBE.length).replace(/\n$/, "") } };
}
