import type { ProcessOptions } from "./process-options.ts";
import { type StoreProcess, startStoreProcess } from "./store-process.ts";

/** Processes over the same data. To start one takes longer than most tests, so those that survive one serve the next. */
export interface ProcessPool {
  take(): Promise<StoreProcess>;
  give(process: StoreProcess): void;
  /** Ends all of them, taken or not. */
  close(): Promise<void>;
}

export function createProcessPool(options: ProcessOptions, config: unknown): ProcessPool {
  const all = new Set<Promise<StoreProcess>>();
  const idle: StoreProcess[] = [];
  return {
    async take() {
      for (let free = idle.pop(); free !== undefined; free = idle.pop()) if (free.isAlive) return free;
      const started = startStoreProcess(options, config);
      all.add(started);
      return started;
    },
    give(process) {
      if (process.isAlive) idle.push(process);
    },
    async close() {
      for (const started of await Promise.allSettled(all)) {
        if (started.status === "rejected") continue;
        started.value.signal("SIGKILL");
        await started.value.ended;
      }
    },
  };
}
