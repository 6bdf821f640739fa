import { toAgentError, toWireError } from "@agents/schema/error";
import type { Caller, Hints, Store } from "@agents/schema/port";
import { reviveContents } from "./carried-content.ts";
import type { InstanceDescription, Order, OrderAnswer, OrderMessage, Report, StorePartName } from "./message.ts";
import type { OpenProcessStore } from "./open-process-store.ts";
import { createStepGate, type StepGate } from "./step-gate.ts";
import { writeTurns } from "./write-turns.ts";

export interface ServeOptions {
  /** The module that exports `openStore`, as a URL. */
  readonly store: string;
  readonly config: unknown;
}

/**
 * Opens a store and does with it what the parent process says, until the parent goes away. For processes that
 * `@agents/testing/chaos` starts; it throws in any other.
 */
export async function serveStore({ store: url, config }: ServeOptions): Promise<void> {
  if (process.send === undefined) {
    throw new Error("serveStore runs in a process that @agents/testing/chaos started: it has no channel to a parent.");
  }
  const openStore = openStoreOf(url, await import(url));
  const gate = createStepGate((step) => send({ type: "stopping", step }));
  const instances: Store[] = [];
  const open = async (): Promise<InstanceDescription> => {
    const store = await openStore(config, { onStep: (step) => gate.onStep(step) });
    return describe(store, instances.push(store) - 1);
  };
  const desk: Desk = { gate, open, instance: (number) => instances[number] as Store, watches: new Map() };
  process.once("disconnect", () => process.exit());
  const first = await open();
  process.on("message", (message) => void answer(desk, message as OrderMessage));
  send({ type: "ready", first });
}

interface Desk {
  readonly gate: StepGate;
  readonly open: () => Promise<InstanceDescription>;
  readonly instance: (number: number) => Store;
  readonly watches: Map<number, () => Promise<void>>;
}

const PARTS: readonly StorePartName[] = ["turns", "events", "hints", "index"];

function openStoreOf(url: string, module: { readonly openStore?: unknown }): OpenProcessStore {
  if (typeof module.openStore === "function") return module.openStore as OpenProcessStore;
  throw new Error(
    `${url} exports no function "openStore"; it has to, so that a process of its own can open the store.`,
  );
}

function describe(store: Store, instance: number): InstanceDescription {
  return { instance, name: store.name, parts: PARTS.filter((part) => store[part] !== undefined) };
}

async function answer(desk: Desk, { id, order }: OrderMessage): Promise<void> {
  try {
    send({ type: "answer", id, value: await perform(desk, order, id) });
  } catch (error) {
    send({ type: "error", id, error: toWireError(toAgentError(error)) });
  }
}

function perform(desk: Desk, order: Order, id: number): OrderAnswer | Promise<OrderAnswer> {
  switch (order.type) {
    case "open":
      return desk.open();
    case "call":
      return call(desk.instance(order.instance), order);
    case "watch":
      return watch(desk, order, id);
    case "unwatch":
      return desk.watches.get(order.watch)?.();
    case "arm":
      return desk.gate.arm(order.step, order.effect);
    case "disarm":
      return desk.gate.disarm();
    case "steps":
      return desk.gate.takeReached();
    case "write":
      return writeTurns(desk.instance(0), order.task);
  }
}

function call(store: Store, { path, args }: Extract<Order, { type: "call" }>): unknown {
  let self: unknown = store;
  let method: unknown = store;
  for (const name of path) {
    self = method;
    method = (method as Record<string, unknown>)[name];
  }
  return (method as (...given: unknown[]) => unknown).apply(self, args.map(reviveContents));
}

/** Known by the id of the order that started it. */
async function watch(desk: Desk, order: Extract<Order, { type: "watch" }>, id: number): Promise<number> {
  const hints = desk.instance(order.instance).hints as Hints;
  const [caller, snapshotId] = order.args as [Caller, string];
  desk.watches.set(id, await hints.watch(caller, snapshotId, () => send({ type: "hint", watch: id })));
  return id;
}

function send(report: Report): void {
  // A parent that is gone takes no answers; the process ends with the channel.
  if (process.connected) process.send?.(report);
}
