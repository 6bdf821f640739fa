import { AgentError } from "@agents/schema/error";
import type { Store } from "@agents/schema/port";
import { createMemoryTelemetry } from "@agents/testing";
import type { AgentsOptions } from "../src/index.ts";
import { createGate, createWorld, model } from "./agent-world.ts";

export interface WatchedOptions {
  readonly options?: object;
  readonly agents?: AgentsOptions;
  readonly change?: (store: Store) => Store;
}

/** An agent whose telemetry is kept. It says "secret" wherever it can; "block" waits at the gate, "bad" fails. */
export function openWatched({ options = {}, agents = {}, change = (store) => store }: WatchedOptions = {}) {
  const telemetry = createMemoryTelemetry();
  const world = createWorld({ telemetry, ...agents });
  const gate = createGate();
  const agent = world.agents.defineCustomAgent(
    { name: "echo", initialCustom: { word: "secret" }, store: change(world.store), ...options },
    async (session, { sendChunk, abortSignal }) => {
      await session.run(async (input) => {
        const text = input.message?.content[0]?.text;
        session.updateCustom(() => ({ word: "secret too" }));
        session.addArtifacts({ name: "secret", parts: [] });
        await sendChunk({ modelChunk: { content: [{ text: "secret" }] } });
        if (text === "block") await gate.wait(abortSignal);
        session.addMessages(model(`secret re: ${text}`));
        if (text === "bad") throw new AgentError("OUT_OF_RANGE", "it broke", { details: "secret" });
      });
      return session.result();
    },
  );
  return { ...world, telemetry, gate, agent };
}
