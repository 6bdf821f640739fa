import type { Clock, IdSource } from "@agents/schema/port";

export const systemClock: Clock = {
  now: () => Date.now(),
  setTimer(ms, callback) {
    const timer: unknown = setTimeout(callback, ms);
    // Node's timers keep a process alive, others have no such method.
    (timer as { unref?: () => void }).unref?.();
    return () => clearTimeout(timer as number);
  },
};

export const systemIds: IdSource = { uuid: () => crypto.randomUUID() };
