import type { Clock, Store } from "@agents/schema/port";
import { createIdSource } from "../clock/id-source.ts";
import { createManualClock } from "../clock/manual-clock.ts";
import { createStoreKit, type StoreKit } from "./kit/store-kit.ts";
import { timeOf } from "./kit/time.ts";

export interface StoreContext {
  /** Stands still until the kit moves it. A store that lives by it says `advance: "clock"`. */
  readonly clock: Clock;
}

export interface StoreSource<Kind extends Store = Store> {
  /** A fresh, empty store. Called once per test. */
  readonly create: (context: StoreContext) => Kind | Promise<Kind>;
  /**
   * Another instance over the same data, as another process would have after a crash: the first one is not closed. Leave
   * it out only if the data dies with the store; its `health` must then say that it is not durable.
   */
  readonly reopen?: (store: Kind, context: StoreContext) => Store | Promise<Store>;
  /** Ends a store of `create` and removes its data. Reopened ones are closed before. @default `store.close()` */
  readonly destroy?: (store: Kind) => void | Promise<void>;
  /**
   * How leases run out: "clock" when the store lives by the clock of the context, or a function that moves the store's
   * own. Without it the kit uses leases of 150 ms and waits for their end.
   */
  readonly advance?: "clock" | ((ms: number, store: Kind) => void | Promise<void>);
}

export interface OpenStore {
  readonly kit: StoreKit;
  destroy(): Promise<void>;
}

/** Makes a store and what drives it. The scope is never empty, so that stores with tenants take it too. */
export async function openStore<Kind extends Store>(source: StoreSource<Kind>): Promise<OpenStore> {
  const clock = createManualClock();
  const context: StoreContext = { clock };
  const store = await source.create(context);
  const others: Store[] = [];
  const { advance, reopen } = source;

  const kit = createStoreKit({
    store,
    caller: { scope: "tenant-a" },
    ids: createIdSource(),
    time: timeOf(
      advance === undefined
        ? undefined
        : async (ms) => await (advance === "clock" ? clock.advance(ms) : advance(ms, store)),
    ),
    reopen:
      reopen === undefined
        ? undefined
        : async () => {
            const other = await reopen(store, context);
            others.push(other);
            return other;
          },
  });

  return {
    kit,
    async destroy() {
      for (const other of others) await other.close();
      await (source.destroy === undefined ? store.close() : source.destroy(store));
    },
  };
}
