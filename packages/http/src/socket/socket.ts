/** A WebSocket as far as it is needed here, whatever the server. */
export interface Socket {
  /** Takes a message. A promise: the reader is slow, and whoever sends waits. It must settle when the socket is gone. */
  send(text: string): Promise<void> | undefined;
  close(code: number, reason: string): void;
  /** Reads no further until `resume`: the other side then has to wait. */
  pause(): void;
  resume(): void;
}

/** What a socket reports to. */
export interface SocketEvents {
  message(text: string): void;
  /** A message that is not text. */
  binary(): void;
  /** The socket is closed, whoever closed it. */
  gone(): void;
}

/** Takes a socket that was opened; messages are passed to what it returns. */
export type AcceptSocket = (socket: Socket) => SocketEvents;
