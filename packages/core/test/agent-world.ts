import type { AgentInput, Message } from "@agents/schema/agent";
import type { Store } from "@agents/schema/port";
import type { TurnEvent } from "@agents/schema/wire";
import { createMemoryStore, type MemoryStore, type MemoryStoreOptions } from "@agents/store-memory";
import { createIdSource, createManualClock, type ManualClock } from "@agents/testing";
import { type Agents, type AgentsOptions, createAgents, NO_TELEMETRY } from "../src/index.ts";

export interface AgentWorld {
  readonly clock: ManualClock;
  readonly store: MemoryStore;
  readonly agents: Agents;
  /** Another process over the same store: it knows nothing that is not stored. */
  another(options?: AgentsOptions): Agents;
}

/** A store in memory, a clock that stands still, and agents on both. */
export function createWorld(options: AgentsOptions & { memory?: MemoryStoreOptions } = {}): AgentWorld {
  const { memory, ...rest } = options;
  const clock = createManualClock();
  const store = createMemoryStore({ clock, ...memory });
  let seed = 0;
  const another = (more: AgentsOptions = {}): Agents =>
    createAgents({ store, clock, ids: createIdSource(seed++), telemetry: NO_TELEMETRY, ...rest, ...more });
  return { clock, store, agents: another(), another };
}

export const user = (text: string) => ({ role: "user" as const, content: [{ text }] });
export const model = (text: string) => ({ role: "model" as const, content: [{ text }] });
export const says = (text: string): AgentInput => ({ message: user(text) });

/** "user: hi", "model: hello": a conversation at a glance. */
export function transcript(messages: readonly Message[] | undefined): string[] {
  return (messages ?? []).map(({ role, content }) => `${role}: ${content.map(({ text }) => text ?? "…").join("")}`);
}

/** A turn's log as it is stored, private events included. */
export async function storedEvents({ events }: MemoryStore, turnId: string, scope = ""): Promise<TurnEvent[]> {
  const page = await events.readEvents({ scope }, turnId, { after: { epoch: 0, seq: 0 }, limit: 100_000 });
  return (page?.events ?? []).map(({ json }) => JSON.parse(json) as TurnEvent);
}

export interface Gate {
  /** Resolves when somebody waits at the gate. */
  reached(): Promise<void>;
  /** Waits until the gate is opened, or the signal aborted. */
  wait(signal?: AbortSignal): Promise<void>;
  open(): void;
}

/** Holds work up at a place until the test lets it go on. Each `open` lets one through, also one that comes later. */
export function createGate(): Gate {
  let arrivals = 0;
  let permits = 0;
  const expected: (() => void)[] = [];
  const held: (() => void)[] = [];
  return {
    async reached() {
      if (arrivals > 0) arrivals--;
      else await new Promise<void>((resolve) => expected.push(resolve));
    },
    wait(signal) {
      const expecting = expected.shift();
      if (expecting === undefined) arrivals++;
      else expecting();
      if (permits > 0) {
        permits--;
        return Promise.resolve();
      }
      return new Promise((resolve, reject) => {
        held.push(resolve);
        const leave = (): void => {
          held.splice(held.indexOf(resolve), 1);
          reject(signal?.reason);
        };
        signal?.addEventListener("abort", leave, { once: true });
      });
    },
    open() {
      const next = held.shift();
      if (next === undefined) permits++;
      else next();
    },
  };
}

/** The store without some of its optional parts. */
export function without(store: Store, ...parts: ("events" | "hints" | "index")[]): Store {
  return Object.fromEntries(
    Object.entries(store).filter(([name]) => !(parts as string[]).includes(name)),
  ) as unknown as Store;
}

/** The store with one method of `turns` replaced. */
export function withTurns(store: Store, replaced: Partial<Store["turns"]>): Store {
  return { ...store, turns: { ...store.turns, ...replaced } };
}
