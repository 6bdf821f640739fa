/** An answer as plain data: a web Response is made from it, or a server writes it as it is. */
export interface Reply {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | StreamBody | null;
}

/** A body that is written while it comes into being. */
export interface StreamBody {
  /** Writes frames until the end, waiting where the sink says so. Called once; resolves at the end and never rejects. */
  write(sink: FrameSink): Promise<void>;
}

/** Where frames go. */
export interface FrameSink {
  /** Takes a frame. A promise: the reader is slow, and whoever sends waits for it. Frames of one tick go out together. */
  send(frame: string): Promise<void> | undefined;
  /** Calls back once when the reader has left; frames are dropped from then on. What it returns takes the wish back. */
  onLeave(callback: () => void): () => void;
}

export function jsonReply(value: unknown, { status = 200, headers = {} }: Partial<Omit<Reply, "body">> = {}): Reply {
  return { status, headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(value) };
}
