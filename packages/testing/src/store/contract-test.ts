import type { StoreKit } from "./kit/store-kit.ts";

/** The parts that a store may lack. */
export type Capability = "events" | "hints" | "index" | "reopen";

/** One sentence of the contract. Rejects when the store breaks it. */
export interface ContractTest {
  readonly area: string;
  readonly name: string;
  /** What the sentence speaks of beyond turns. */
  readonly needs: readonly Capability[];
  /** How long it may take, in milliseconds. */
  readonly timeoutMs: number;
  readonly run: (kit: StoreKit) => Promise<void>;
}

export interface AreaOptions {
  readonly needs?: readonly Capability[];
  /** @default 30_000 */
  readonly timeoutMs?: number;
}

/** The tests of one area, by their names. */
export function contractArea(
  area: string,
  { needs = [], timeoutMs = 30_000 }: AreaOptions,
  tests: Readonly<Record<string, (kit: StoreKit) => Promise<void>>>,
): readonly ContractTest[] {
  return Object.entries(tests).map(([name, run]) => ({ area, name, needs, timeoutMs, run }));
}
