import type { StoredStatus } from "@agents/schema/agent";
import type { AppendRequest, Lease, SettleRequest } from "@agents/schema/port";
import type { TestContent } from "../kit/state-content.ts";
import type { BeginOptions, StoreKit } from "../kit/store-kit.ts";

/** What a runtime has seen so far, the same for both stores. */
export interface World {
  readonly reference: StoreKit;
  readonly real: StoreKit;
  /** Moves both clocks. */
  readonly advance: (ms: number) => Promise<void>;
  /** An agent resumes from completed turns, or from all settled ones; all its calls say the same. */
  readonly resumable: readonly StoredStatus[];
  /** Every turn that was ever begun, deleted ones included, oldest first. */
  readonly turns: { readonly snapshotId: string; readonly sessionId: string }[];
  /** Every lease that was ever given, lost ones included. */
  readonly leases: Lease[];
  /** What settled turns saved, by snapshot: what a process may say that it holds. */
  readonly saved: Map<string, TestContent>;
  lastBegin?: BeginOptions & { readonly snapshotId: string };
  lastClaim?: { readonly snapshotId: string; readonly writer: string };
  lastSettle?: { readonly lease: Lease; readonly request: SettleRequest };
  lastAppend?: { readonly lease: Lease; readonly request: AppendRequest };
  /** Makes texts that occur once. */
  counter: number;
}

export function sessionName(number: number): string {
  return `session-${number}`;
}

/** The newest first: 0 picks the last one, and numbers beyond the list go round. */
export function pickFrom<Item>(items: readonly Item[], number: number): Item | undefined {
  return items.length === 0 ? undefined : items[items.length - 1 - (number % items.length)];
}

export function uniqueText(world: World): string {
  world.counter += 1;
  return `text ${world.counter}`;
}
