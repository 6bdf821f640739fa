import type { ServerResponse } from "node:http";
import type { StreamBody } from "../edge/reply.ts";
import { FrameBatch } from "../stream/frame-batch.ts";

/** Writes a stream to a Node response: the kernel's buffer, not ours, is what a slow reader fills. */
export function writeStreamBody(body: StreamBody, outgoing: ServerResponse): void {
  let onRoom: (() => void) | undefined;
  const room = (): void => {
    onRoom?.();
    onRoom = undefined;
  };
  const batch = new FrameBatch({
    write(text) {
      if (outgoing.write(Buffer.from(text))) return undefined;
      return new Promise((resolve) => {
        onRoom = resolve;
      });
    },
    end: (text) => void outgoing.end(text),
  });
  outgoing.on("drain", room);
  const leave = (): void => {
    batch.leave();
    room();
  };
  outgoing.once("close", leave);
  // It may have gone while the answer was made: then nobody would say so any more.
  if (outgoing.destroyed || outgoing.socket === null || outgoing.socket.destroyed) leave();
  void body.write(batch).then(() => batch.end());
}
