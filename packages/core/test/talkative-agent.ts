import type { AgentInput } from "@agents/schema/agent";
import type { Agents } from "../src/index.ts";
import { model, user } from "./agent-world.ts";

/** What a turn of the talkative agent does, as its input's data says. */
export interface Doing {
  readonly say?: readonly string[];
  /** Keep only so many of the messages. */
  readonly keep?: number;
  readonly custom?: unknown;
  readonly artifact?: string;
  readonly fail?: boolean;
  readonly asks?: boolean;
}

export const doing = (what: Doing): AgentInput => ({
  message: { role: "user", content: [{ data: what }] },
});

/** An agent that does to its session what it is told, so that a test can make any history. */
export function talkativeAgent(agents: Agents, options: { readonly resumeFrom?: "completed" | "settled" } = {}) {
  return agents.defineCustomAgent({ name: "talkative", initialCustom: {} as unknown, ...options }, async (session) => {
    await session.run(async (input) => {
      const { say = [], keep, custom, artifact, fail, asks } = (input.message?.content[0]?.data ?? {}) as Doing;
      if (keep !== undefined) session.setMessages([user("summary"), ...session.getMessages().slice(-keep)]);
      session.addMessages(...say.map(model));
      if (custom !== undefined) session.updateCustom(() => custom);
      if (artifact !== undefined) session.addArtifacts({ name: artifact, parts: [{ text: say.join() }] });
      if (fail === true) throw new Error("it broke");
      return asks === true ? { finishReason: "interrupted" } : {};
    });
    return session.result();
  });
}
