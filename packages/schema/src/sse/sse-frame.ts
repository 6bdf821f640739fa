/** One server-sent event. Encoder and decoder agree on this shape. */
export interface SseFrame {
  readonly data: string;
  /** Comes back as `Last-Event-ID` when the client reconnects. */
  readonly id?: string;
  readonly event?: string;
}
