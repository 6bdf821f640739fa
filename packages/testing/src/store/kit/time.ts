import { setTimeout } from "node:timers/promises";
import { expect } from "vitest";

/** How the kit makes time pass for a store: by moving its clock, or by waiting. */
export interface Time {
  /** Moves the store's clock. Absent: the store lives by a clock that the kit cannot move. */
  readonly advance?: (ms: number) => Promise<void>;
  /** A lease that `lapse` can see the end of. */
  readonly lapsingMs: number;
}

/** Real milliseconds that the kit waits for what takes real time, before it calls it missing. */
const PATIENCE_MS = 10_000;

/** With a clock that can be moved leases are a minute; otherwise so short that waiting for their end costs little. */
export function timeOf(advance: ((ms: number) => Promise<void>) | undefined): Time {
  return advance === undefined ? { lapsingMs: 150 } : { advance, lapsingMs: 60_000 };
}

/** Lets `lapsingMs` pass, until the store says so. */
export async function lapse({ advance, lapsingMs }: Time, isOver: () => Promise<boolean>): Promise<void> {
  await advance?.(lapsingMs + 1_000);
  await until(isOver, { everyMs: 10, what: "the lease runs out" });
}

/** Lets the store's clock go on by so much. */
export async function pause({ advance }: Time, ms: number): Promise<void> {
  await (advance === undefined ? setTimeout(ms) : advance(ms));
}

/** Lets the store's clock show another time. */
export async function tick(time: Time): Promise<void> {
  await pause(time, 5);
}

/** Waits for what a store does on its own, such as raising a hint. Moves its clock meanwhile, in case that is awaited. */
export async function eventually({ advance }: Time, what: string, isSo: () => boolean): Promise<void> {
  const poll = async (): Promise<boolean> => {
    if (!isSo()) await advance?.(20);
    return isSo();
  };
  await until(poll, { everyMs: 5, what });
}

/** Not `expect.poll`, which has to know the test it is in, and in tests that run side by side does not. */
async function until(
  isSo: () => Promise<boolean>,
  { everyMs, what }: { everyMs: number; what: string },
): Promise<void> {
  for (const end = performance.now() + PATIENCE_MS; !(await isSo()); ) {
    if (performance.now() > end) expect.fail(`Waited ${PATIENCE_MS} ms until ${what}.`);
    await setTimeout(everyMs);
  }
}
