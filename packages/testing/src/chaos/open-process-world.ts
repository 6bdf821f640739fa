import type { Caller, Store } from "@agents/schema/port";
import { createIdSource } from "../clock/id-source.ts";
import { createStoreKit, type StoreKit } from "../store/kit/store-kit.ts";
import { timeOf } from "../store/kit/time.ts";
import { prepareCrashTurn } from "./contract/crash-turn.ts";
import type { CrashOperation, ProcessWorld } from "./contract/process-world.ts";
import { DEFAULT_PATIENCE_MS, type ProcessOptions } from "./process-options.ts";
import { createProcessPool } from "./process-pool.ts";
import type { StoreProcess } from "./store-process.ts";

export interface ProcessSource<Config = unknown> extends ProcessOptions {
  /** Makes room for fresh, empty data, and says as JSON how a process opens it. */
  readonly config: () => Config | Promise<Config>;
  /** Removes the data, once every process is gone. */
  readonly destroy?: (config: Config) => void | Promise<void>;
  /** How long leases are that a test waits for the end of, in milliseconds. @default 300 */
  readonly leaseMs?: number;
}

export interface OpenProcessWorld {
  readonly stepsOf: ProcessWorld["stepsOf"];
  /** Closes what `fresh` opened for it when it ends: a store may have connections, and tests open many. */
  use<T>(test: (world: ProcessWorld) => Promise<T>): Promise<T>;
  /** Ends every process and removes the data. */
  close(): Promise<void>;
}

/** The scope is not empty, so that stores with tenants take it too. */
const CALLER: Caller = { scope: "tenant-a" };

export async function openProcessWorld<Config>(source: ProcessSource<Config>): Promise<OpenProcessWorld> {
  const config = await source.config();
  const pool = createProcessPool(source, config);
  const ids = createIdSource();
  const time = { ...timeOf(undefined), lapsingMs: source.leaseMs ?? 300 };
  const over = (store: Store): StoreKit => createStoreKit({ store, caller: CALLER, ids, time });
  const close = async (): Promise<void> => {
    await pool.close();
    await source.destroy?.(config);
  };
  try {
    // Nothing is ever done to this one.
    const witness = await pool.take();
    const steps = await traceSteps(witness, over(witness.store));
    const stepsOf = (operation: CrashOperation) => steps[operation];
    const worldWith = (opened: Store[]): ProcessWorld => ({
      take: () => pool.take(),
      give: (process) => pool.give(process),
      kit: ({ store }) => over(store),
      async fresh() {
        const store = await witness.reopen();
        opened.push(store);
        return over(store);
      },
      patienceMs: source.patienceMs ?? DEFAULT_PATIENCE_MS,
      stepsOf,
    });
    return {
      stepsOf,
      async use(test) {
        const opened: Store[] = [];
        try {
          return await test(worldWith(opened));
        } finally {
          await Promise.all(opened.map((store) => store.close()));
        }
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** An undisturbed run of each operation. */
async function traceSteps(process: StoreProcess, kit: StoreKit): Promise<Record<CrashOperation, readonly string[]>> {
  const trace = async (operation: CrashOperation): Promise<readonly string[]> => {
    const turn = await prepareCrashTurn(kit, operation);
    await process.steps();
    await turn.perform(kit);
    return [...new Set(await process.steps())];
  };
  const append = kit.store.events === undefined ? [] : await trace("append");
  return { begin: await trace("begin"), append, settle: await trace("settle") };
}
