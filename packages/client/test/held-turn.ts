import { createGate, openWorld, texts } from "./world.ts";

/** A world whose turns say "a" and "b", wait at the gate, and say "c". */
export async function openHeld(options: Parameters<typeof openWorld>[0] = {}) {
  const world = await openWorld(options);
  const gate = createGate();
  world.server.script = async (turn) => {
    turn.text("a", "b");
    await gate.wait();
    if (!turn.aborted) turn.text("c");
    return [{ role: "model", content: [{ text: "abc" }] }];
  };
  return { ...world, gate };
}

export const says = (text: string) => (chunk: object) => texts([chunk])[0] === text;
export const isFollow = ({ method }: { method: string }) => method === "GET";
export const isAbort = ({ url }: { url: string }) => url.endsWith("/abort");

/** Lets the machine's own events happen until something is so. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}
