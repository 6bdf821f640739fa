import type { Clock } from "@agents/schema/port";
import type { WebSocket } from "ws";
import type { AcceptSocket } from "../socket/socket.ts";

/** Most bytes that wait for a slow reader before whoever sends waits. */
const MOST_BUFFERED = 65_536;

/** Joins a socket of `ws` to what serves it, and finds out when the other side is silently gone. */
export function serveWebSocket(
  ws: WebSocket,
  accept: AcceptSocket,
  { clock, pingMs }: { clock: Clock; pingMs: number },
): void {
  let alive = true;
  let stopTimer = (): void => {};
  let onClose: (() => void) | undefined;
  const closed = new Promise<void>((resolve) => {
    onClose = resolve;
  });

  const events = accept({
    send(text) {
      if (ws.bufferedAmount <= MOST_BUFFERED) {
        ws.send(text, ignore);
        return undefined;
      }
      return Promise.race([closed, new Promise<void>((resolve) => ws.send(text, () => resolve()))]);
    },
    close: (code, reason) => ws.close(code, reason),
    pause: () => ws.pause(),
    resume: () => ws.resume(),
  });

  function ping(): void {
    stopTimer = clock.setTimer(pingMs, () => {
      // Two intervals without a sign of life.
      if (!alive) return ws.terminate();
      alive = false;
      ws.ping(ignore);
      ping();
    });
  }

  ws.on("message", (data, isBinary) => {
    alive = true;
    if (isBinary) events.binary();
    else events.message(String(data));
  });
  ws.on("pong", () => {
    alive = true;
  });
  // What is wrong with the protocol closes the socket with its own code; "close" follows.
  ws.on("error", ignore);
  ws.on("close", () => {
    stopTimer();
    onClose?.();
    events.gone();
  });
  ping();
}

function ignore(): void {}
