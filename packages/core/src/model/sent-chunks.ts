import type { ModelCall } from "@agents/schema/port";

/** A call that knows whether anything of its answer was shown: what was cannot be said again. */
export interface WatchedCall {
  readonly call: ModelCall;
  readonly hasSent: () => boolean;
}

export function watchChunks(call: ModelCall): WatchedCall {
  const { sendChunk } = call;
  if (sendChunk === undefined) return { call, hasSent: () => false };
  let sent = false;
  return {
    call: {
      ...call,
      sendChunk: (chunk) => {
        sent = true;
        return sendChunk(chunk);
      },
    },
    hasSent: () => sent,
  };
}
