import type { StoreKit } from "../../store/kit/store-kit.ts";
import type { StorePart } from "../../store/test-store.ts";
import type { StoreProcess } from "../store-process.ts";

/** A store's data, and processes over it. */
export interface ProcessWorld {
  /** Not to be given back when its end is part of the test. */
  take(): Promise<StoreProcess>;
  give(process: StoreProcess): void;
  /** Short ways to use the store that a process has. All of a world are the same caller. */
  kit(process: StoreProcess): StoreKit;
  /** A store just opened, in a process that nothing happens to: it knows what is stored and no more. */
  fresh(): Promise<StoreKit>;
  /** Milliseconds that something may take which happens soon. */
  readonly patienceMs: number;
  /** Which steps each operation reaches, as an undisturbed run showed. */
  stepsOf(operation: CrashOperation): readonly string[];
}

/** What a process is doing when it is ended. */
export type CrashOperation = "begin" | "append" | "settle";

/** One sentence about processes. Rejects when the store breaks it. */
export interface ProcessTest {
  readonly name: string;
  /** Milliseconds. */
  readonly timeoutMs: number;
  /** It waits more than it works, and may run beside others. */
  readonly waits?: boolean;
  /** Parts without which it has nothing to say. */
  readonly needs: readonly StorePart[];
  readonly run: (world: ProcessWorld) => Promise<void>;
}
