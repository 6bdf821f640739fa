/** As much of a browser's WebSocket as is needed here. That of `ws` has it too. */
export interface WebSocketLike {
  binaryType?: string;
  readonly bufferedAmount: number;
  onopen: ((event: never) => void) | null;
  onmessage: ((event: never) => void) | null;
  onerror: ((event: never) => void) | null;
  onclose: ((event: never) => void) | null;
  send(data: string): void;
  close(code?: number, reason?: string): void;
  /** Of `ws`: stops reading, so that a slow reader here slows the server. Browsers cannot. */
  pause?(): void;
  resume?(): void;
  /** Of `ws`: ends it without a handshake. */
  terminate?(): void;
}

/** The third argument is that of `ws`; others ignore it, so in a browser a socket is known by its cookies or its URL. */
export type WebSocketConstructor = new (
  url: string,
  protocols: string[],
  options: { headers: Record<string, string> },
) => WebSocketLike;
