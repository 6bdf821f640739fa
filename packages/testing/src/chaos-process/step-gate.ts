import type { StepEffect } from "./message.ts";
import type { StepHooks } from "./open-process-store.ts";

export interface StepGate extends StepHooks {
  /** What happens at the next step of this name. */
  arm(step: string, effect: StepEffect): void;
  disarm(): void;
  /** The steps that were reached since this was asked last. */
  takeReached(): string[];
}

/** @param announce Tells the parent, before this returns, that the process is about to stand still. */
export function createStepGate(announce: (step: string) => void): StepGate {
  let armed: { readonly step: string; readonly effect: StepEffect } | undefined;
  let reached: string[] = [];
  return {
    arm(step, effect) {
      armed = { step, effect };
    },
    disarm() {
      armed = undefined;
    },
    takeReached() {
      const taken = reached;
      reached = [];
      return taken;
    },
    onStep(step) {
      if (reached.length < MOST_STEPS) reached.push(step);
      if (armed?.step !== step) return;
      const { effect } = armed;
      armed = undefined;
      if (effect === "kill") die();
      announce(step);
      process.kill(process.pid, "SIGSTOP");
    },
  };
}

/** Writers reach millions; only the first few are ever asked for. */
const MOST_STEPS = 1_000;

/** Nothing of this process runs any more: no `finally`, no handler, no flush. */
function die(): never {
  process.kill(process.pid, "SIGKILL");
  // The signal is on its way to all threads: this one must not go on meanwhile.
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}
