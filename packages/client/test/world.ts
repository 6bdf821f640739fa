import type { AgentChunk, Message } from "@agents/schema/agent";
import type { ManualClock } from "@agents/testing";
import { onTestFinished } from "vitest";
import { type RemoteAgent, type RemoteAgentOptions, remoteAgent } from "../src/index.ts";
import { AgentServer } from "./agent-server.ts";

export interface World {
  readonly server: AgentServer;
  readonly agent: RemoteAgent<{ n: number }>;
  another(options?: Partial<RemoteAgentOptions<{ n: number }>>): RemoteAgent<{ n: number }>;
}

/** A server, and a client that comes back at once: nothing here waits for a clock unless it is given one. */
export async function openWorld(options: Partial<RemoteAgentOptions<{ n: number }>> = {}): Promise<World> {
  const server = new AgentServer();
  await server.start();
  onTestFinished(() => server.stop());
  const another = (more: Partial<RemoteAgentOptions<{ n: number }>> = {}) =>
    remoteAgent<{ n: number }>({
      url: server.url,
      name: "a",
      patience: { baseMs: 0, maxMs: 0 },
      ...options,
      ...more,
    });
  return { server, agent: another(), another };
}

export interface Gate {
  /** Resolves when somebody waits at the gate. */
  readonly reached: Promise<void>;
  wait(): Promise<void>;
  open(): void;
}

export function createGate(): Gate {
  let open = (): void => {};
  let reach = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  return {
    reached,
    wait() {
      reach();
      return opened;
    },
    open,
  };
}

export const texts = (chunks: readonly AgentChunk[]): string[] =>
  chunks.flatMap(({ modelChunk }) => modelChunk?.content.map(({ text }) => text ?? "") ?? []);

export function transcript(messages: readonly Message[]): string[] {
  return messages.map(({ role, content }) => `${role}: ${content.map(({ text }) => text ?? "…").join("")}`);
}

/** A clock whose timers fire when the test says so, each timer's delay noted. */
export function recordWaits(clock: ManualClock): { clock: ManualClock; waits: number[] } {
  const waits: number[] = [];
  const setTimer = (ms: number, callback: () => void): (() => void) => {
    waits.push(ms);
    return clock.setTimer(ms, callback);
  };
  return { waits, clock: { ...clock, setTimer } };
}
