import type { Reply, StreamBody } from "../edge/reply.ts";
import { FrameBatch } from "./frame-batch.ts";

/** An answer as web servers take it. A stream is read as fast as the client takes it, and no faster. */
export function toResponse({ status, headers, body }: Reply): Response {
  return new Response(typeof body === "object" && body !== null ? webBody(body) : body, { status, headers });
}

function webBody(body: StreamBody): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let onPull: (() => void) | undefined;
  let batch: FrameBatch;
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        batch = new FrameBatch({
          write(text) {
            controller.enqueue(encoder.encode(text));
            if ((controller.desiredSize ?? 0) > 0) return undefined;
            return new Promise((resolve) => {
              onPull = resolve;
            });
          },
          end(text) {
            if (text !== "") controller.enqueue(encoder.encode(text));
            controller.close();
          },
        });
        void body.write(batch).then(() => batch.end());
      },
      pull() {
        onPull?.();
        onPull = undefined;
      },
      cancel() {
        batch.leave();
        onPull?.();
      },
    },
    // In chunks: one batch may wait in the stream while the next is collected.
    { highWaterMark: 1 },
  );
}
