import type { Store } from "@agents/schema/port";
import { carryContents } from "../chaos-process/carried-content.ts";
import type { InstanceDescription, Order, StorePartName } from "../chaos-process/message.ts";

type Ask = (order: Order) => Promise<unknown>;

/** A store that is open in another process. `watched` hears of a hint by the number of its watch. */
export function remoteStore(
  { instance, name, parts }: InstanceDescription,
  ask: Ask,
  watched: (onHint: () => void) => (watch: number) => void,
): Store {
  const call = (path: readonly string[], args: readonly unknown[]): Promise<unknown> =>
    ask({ type: "call", instance, path, args: args.map(carryContents) });
  const part = <Part>(of: StorePartName): Part => {
    const methods: ProxyHandler<object> = {
      get: (_, method) => (typeof method === "string" ? (...args: unknown[]) => call([of, method], args) : undefined),
    };
    return new Proxy({}, methods) as Part;
  };
  return {
    name,
    turns: part("turns"),
    ...(parts.includes("events") ? { events: part("events") } : {}),
    ...(parts.includes("index") ? { index: part("index") } : {}),
    ...(parts.includes("hints") ? { hints: remoteHints(instance, ask, watched) } : {}),
    health: () => call(["health"], []) as ReturnType<Store["health"]>,
    close: () => call(["close"], []) as Promise<void>,
  };
}

function remoteHints(
  instance: number,
  ask: Ask,
  watched: (onHint: () => void) => (watch: number) => void,
): NonNullable<Store["hints"]> {
  return {
    async watch(caller, snapshotId, onHint) {
      const watch = (await ask({ type: "watch", instance, args: [caller, snapshotId] })) as number;
      watched(onHint)(watch);
      return async () => void (await ask({ type: "unwatch", watch }));
    },
  };
}
