import { AgentError } from "@agents/schema/error";
import type { Clock } from "@agents/schema/port";
import { createSseDecoder, type SseDecoder, type SseFrame } from "@agents/schema/sse";

/** What comes next of a stream: a frame, or how it ended. After an end, the same again. */
export type Received =
  | { readonly type: "frame"; readonly frame: Readonly<Record<string, unknown>> }
  /** Ended by the server between two frames. */
  | { readonly type: "closed" }
  /** Ended by the network, by silence, or inside a frame. */
  | { readonly type: "cut"; readonly error: AgentError }
  /** Not what an agent server sends: trying again will not help. */
  | { readonly type: "unreadable"; readonly error: AgentError };

export interface FrameReaderOptions {
  readonly response: Response;
  readonly clock: Clock;
  /** Milliseconds without a byte before the stream counts as cut; asked at each read. */
  readonly idleMs: () => number;
  /** Lets go of the connection. */
  readonly abort: () => void;
}

/** Reads frames as they are asked for: a slow reader slows the server. Its `next` never rejects. */
export class FrameReader {
  readonly #options: FrameReaderOptions;
  readonly #bytes: ReadableStreamDefaultReader<Uint8Array> | undefined;
  readonly #decoder: SseDecoder;
  #ready: SseFrame[] = [];
  #taken = 0;
  #end: Received | undefined;
  /** Wakes a read that waits. */
  #giveUp: (end: Received) => void = () => {};

  constructor(options: FrameReaderOptions) {
    this.#options = options;
    this.#bytes = options.response.body?.getReader();
    this.#decoder = createSseDecoder({ onFrame: (frame) => this.#ready.push(frame) });
  }

  async next(): Promise<Received> {
    for (;;) {
      const frame = this.#take();
      if (frame !== undefined) return frame;
      if (this.#end !== undefined) return this.#end;
      const end = await this.#read();
      // What had arrived whole before the end was received; only a reader that left does not want it.
      if (end !== undefined) this.#end ??= end;
    }
  }

  /** Leaves the stream: the server sees the connection close. */
  close(): void {
    this.#ready = [];
    this.#stop({ type: "closed" });
  }

  #stop(end: Received): void {
    this.#end ??= end;
    this.#giveUp(end);
    this.#options.abort();
  }

  #take(): Received | undefined {
    while (this.#taken < this.#ready.length) {
      const { data } = this.#ready[this.#taken++] as SseFrame;
      const received = parseFrame(data);
      if (received?.type === "cut") this.#stop(received);
      if (received !== undefined) return received;
    }
    this.#ready = [];
    this.#taken = 0;
    return undefined;
  }

  /** Reads bytes once; what it returns is the stream's end. */
  #read(): Promise<Received | undefined> {
    const { clock, idleMs } = this.#options;
    const ms = idleMs();
    return new Promise((resolve) => {
      const cancel = clock.setTimer(ms, () => this.#stop({ type: "cut", error: silent(ms) }));
      const settle = (end: Received | undefined): void => {
        cancel();
        resolve(end);
      };
      this.#giveUp = settle;
      if (this.#bytes === undefined) return settle({ type: "closed" });
      this.#bytes.read().then(
        ({ done, value }) => settle(done ? this.#ended() : this.#push(value)),
        (cause) => settle({ type: "cut", error: cut(cause) }),
      );
    });
  }

  #push(bytes: Uint8Array): Received | undefined {
    // Bytes that were on their way when the reader left.
    if (this.#end !== undefined) return this.#end;
    try {
      this.#decoder.push(bytes);
      return undefined;
    } catch (error) {
      this.#options.abort();
      return { type: "unreadable", error: error as AgentError };
    }
  }

  #ended(): Received {
    if (!this.#decoder.end().truncated) return { type: "closed" };
    return { type: "cut", error: new AgentError("DATA_LOSS", "The stream ended inside a frame.") };
  }
}

/** Undefined for a frame that says nothing to us. */
function parseFrame(data: string): Received | undefined {
  try {
    const frame: unknown = JSON.parse(data);
    return typeof frame === "object" && frame !== null ? { type: "frame", frame: { ...frame } } : undefined;
  } catch (cause) {
    const error = new AgentError("DATA_LOSS", "A frame of the stream is not JSON.", {
      details: { frame: data.slice(0, 200) },
      cause,
    });
    return { type: "cut", error };
  }
}

function silent(ms: number): AgentError {
  return new AgentError("DEADLINE_EXCEEDED", `The stream brought nothing for ${ms} ms.`, { details: { idleMs: ms } });
}

function cut(cause: unknown): AgentError {
  return new AgentError("UNAVAILABLE", "The connection was lost in the middle of the stream.", { cause });
}
