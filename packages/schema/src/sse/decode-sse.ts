import { createParser } from "eventsource-parser";
import { AgentError } from "../error/index.ts";
import type { SseFrame } from "./sse-frame.ts";

export interface SseDecoderOptions {
  onFrame: (frame: SseFrame) => void;
  onComment?: (text: string) => void;
  /** Longest frame that is buffered, in characters; a longer one throws RESOURCE_EXHAUSTED. @default 16_777_216 */
  maxFrameLength?: number;
}

export interface SseEnd {
  /** The stream stopped inside a frame, a line or a character: something was lost. */
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
 * Decodes server-sent events from bytes. eventsource-parser does the grammar; this adds characters and line ends
 * split between pushes, the size limit, and the account of how the stream ended, which the grammar itself discards.
 */
export function createSseDecoder({
  onFrame,
  onComment,
  maxFrameLength = DEFAULT_MAX_FRAME_LENGTH,
}: SseDecoderOptions): SseDecoder {
  const utf8 = new TextDecoder();
  const toLineFeeds = createLineFeeds();
  let lastChar = "\n";
  let probing = false;
  let end: SseEnd = { truncated: false };

  const parser = createParser({
    maxBufferSize: maxFrameLength,
    onEvent: ({ data, id, event }) => {
      const frame = { data, ...(id === undefined ? {} : { id }), ...(event === undefined ? {} : { event }) };
      if (probing) end = endAt(frame, end);
      else onFrame(frame);
    },
    onError: (error) => {
      if (error.type === "max-buffer-size-exceeded") throw tooLong(maxFrameLength);
      // A field name that is unknown only because its line was cut. In the middle of a stream the grammar ignores it.
      if (probing) end = { truncated: true };
    },
    ...(onComment === undefined ? {} : { onComment }),
  });

  function feed(decoded: string): void {
    const text = toLineFeeds(decoded);
    if (text === "") return;
    lastChar = text.charAt(text.length - 1);
    parser.feed(text);
  }

  return {
    push: (bytes) => feed(utf8.decode(bytes, { stream: true })),
    end: () => {
      feed(utf8.decode());
      // A data line of our own completes whatever is pending; what the frame holds beside it was cut off.
      const lineBreak = lastChar === "\n" ? "" : "\n";
      probing = true;
      parser.feed(`${lineBreak}data: ${PROBE}\n\n`);
      return end;
    },
  };
}

/**
 * The frames of a byte stream, as they arrive. A stream that stops inside a frame throws DATA_LOSS with what had
 * arrived of it as `details.partial`, so a cut is never taken for an end. Leaving the loop cancels the source.
 */
export async function* decodeSse(
  source: AsyncIterable<Uint8Array>,
  options: Pick<SseDecoderOptions, "maxFrameLength" | "onComment"> = {},
): AsyncGenerator<SseFrame, void, undefined> {
  let ready: SseFrame[] = [];
  const decoder = createSseDecoder({ ...options, onFrame: (frame) => ready.push(frame) });
  for await (const bytes of source) {
    decoder.push(bytes);
    const frames = ready;
    ready = [];
    yield* frames;
  }
  const { truncated, partial } = decoder.end();
  yield* ready;
  if (truncated) {
    throw new AgentError("DATA_LOSS", "The event stream ended inside a frame.", {
      details: partial === undefined ? {} : { partial },
    });
  }
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

function tooLong(limit: number): AgentError {
  return new AgentError(
    "RESOURCE_EXHAUSTED",
    `An SSE frame is longer than ${limit} characters; raise maxFrameLength if the server may send such frames.`,
    { details: { limit } },
  );
}
