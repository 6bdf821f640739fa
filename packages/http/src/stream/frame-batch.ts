import type { FrameSink } from "../edge/reply.ts";

/** Where whole batches go. */
export interface BatchTarget {
  /** A promise: the reader is slow. It must also settle when the reader leaves. */
  write(text: string): Promise<void> | undefined;
  /** Nothing more comes; `text` is the last of it. */
  end(text: string): void;
}

/** Most characters that wait for the end of a tick, and then for a slow reader. */
const MOST = 32_768;

const nextTick: (callback: () => void) => void =
  typeof setImmediate === "function" ? setImmediate : (callback) => void setTimeout(callback, 0);

/** Collects the frames of a tick and writes them in one go. While the reader is slow, whoever sends waits. */
export class FrameBatch implements FrameSink {
  readonly #target: BatchTarget;
  #text = "";
  #scheduled = false;
  #room: Promise<void> | undefined;
  #left = false;
  #onLeave: Set<() => void> | undefined;

  constructor(target: BatchTarget) {
    this.#target = target;
  }

  send(frame: string): Promise<void> | undefined {
    if (this.#left) return undefined;
    this.#text += frame;
    if (this.#room !== undefined) return this.#room;
    if (this.#text.length >= MOST) return this.#flush();
    if (!this.#scheduled) {
      this.#scheduled = true;
      nextTick(this.#onTick);
    }
    return undefined;
  }

  onLeave(callback: () => void): () => void {
    if (this.#left) queueMicrotask(callback);
    else {
      this.#onLeave ??= new Set();
      this.#onLeave.add(callback);
    }
    return () => this.#onLeave?.delete(callback);
  }

  /** What is still there goes out, and the end. */
  async end(): Promise<void> {
    while (this.#room !== undefined) await this.#room;
    if (this.#left) return;
    this.#left = true;
    const text = this.#text;
    this.#text = "";
    this.#target.end(text);
  }

  /** The reader has left. */
  leave(): void {
    if (this.#left) return;
    this.#left = true;
    this.#text = "";
    const callbacks = [...(this.#onLeave ?? [])];
    this.#onLeave = undefined;
    for (const callback of callbacks) callback();
  }

  readonly #onTick = (): void => {
    this.#scheduled = false;
    if (this.#room === undefined) void this.#flush();
  };

  #flush(): Promise<void> | undefined {
    if (this.#text === "" || this.#left) return undefined;
    const text = this.#text;
    this.#text = "";
    const room = this.#target.write(text);
    if (room === undefined) return undefined;
    this.#room = room.then(() => {
      this.#room = undefined;
      // Whoever waited goes on after this, so what came meanwhile goes out before what it sends next.
      if (this.#text !== "") void this.#flush();
    });
    return this.#room;
  }
}
