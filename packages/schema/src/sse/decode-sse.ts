import { AgentError } from "../error/index.ts";
import { createSseDecoder, type SseDecoderOptions } from "./create-sse-decoder.ts";
import type { SseFrame } from "./sse-frame.ts";

/** A web stream of bytes, such as `response.body`, as far as it is needed here: not every browser can iterate one. */
export interface ByteStream {
  getReader(): ByteReader;
}

export interface ByteReader {
  read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>;
  cancel(reason?: unknown): Promise<void>;
  releaseLock(): void;
}

/**
 * The frames of a byte stream, as they arrive. A stream that stops inside a frame throws DATA_LOSS with what had
 * arrived of it as `details.partial`, so a cut is never taken for an end. Leaving the loop cancels the source.
 */
export async function* decodeSse(
  source: AsyncIterable<Uint8Array> | ByteStream,
  options: Pick<SseDecoderOptions, "maxFrameLength" | "onComment"> = {},
): AsyncGenerator<SseFrame, void, undefined> {
  let ready: SseFrame[] = [];
  const decoder = createSseDecoder({ ...options, onFrame: (frame) => ready.push(frame) });
  for await (const bytes of "getReader" in source ? bytesOf(source) : source) {
    const failure = attempt(() => decoder.push(bytes));
    // Also before a failure: what was whole when it happened was received.
    yield* ready;
    ready = [];
    if (failure !== undefined) throw failure.error;
  }
  const { truncated, partial } = decoder.end();
  if (truncated) {
    throw new AgentError("DATA_LOSS", "The event stream ended inside a frame.", {
      details: partial === undefined ? {} : { partial },
    });
  }
}

async function* bytesOf(stream: ByteStream): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  let ended = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      ended = done;
      if (done) return;
      if (value !== undefined) yield value;
    }
  } finally {
    // A stream that failed by itself rejects its cancel too; its own error is the one to pass on.
    if (!ended) await reader.cancel().catch(() => {});
    reader.releaseLock();
  }
}

function attempt(run: () => void): { error: unknown } | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    return { error };
  }
}
