/** Why a WebSocket was closed by the server. */
export const CONNECT_CLOSE_CODES = {
  /** After a result. */
  done: 1000,
  /** The server shuts down. An error UNAVAILABLE came before, unless the result had. */
  goingAway: 1001,
  /** A binary message. */
  notText: 1003,
  /** After an error that the client caused, such as a frame that does not fit, or a start that cannot be. */
  refused: 1008,
  /** A message longer than the limit. */
  tooLong: 1009,
  /** After any other error. */
  failed: 1011,
} as const;
