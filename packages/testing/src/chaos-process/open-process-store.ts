import type { Store } from "@agents/schema/port";

export interface StepHooks {
  /**
   * The store calls it where a crash could leave something half done: before and after each write that leaves the process,
   * and between two of them. Await it where the store can; the kit ends or stops the process in it.
   */
  onStep(step: string): void | Promise<void>;
}

/**
 * What the module of a store under test exports as `openStore`: a store over data that other processes share. It is
 * called in processes of their own, any number of times over the same data, with the configuration as it came out of JSON.
 */
export type OpenProcessStore<Config = unknown> = (config: Config, hooks: StepHooks) => Store | Promise<Store>;
