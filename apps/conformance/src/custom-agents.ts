import {
  type Agent,
  type AgentCall,
  type AgentFunction,
  type AgentOptions,
  type AgentSession,
  customAgent,
} from "@agents/core";
import type { Message } from "@agents/schema/agent";
import type { HarnessAgent } from "./harness-agent.ts";

const says = (text: string): Message => ({ role: "model", content: [{ text }] });
const artifact = (name: string, text: string) => ({ name, parts: [{ text }] });

/** Agents that own their loop. They say "done" at the end unless they say something else. */
export const CUSTOM_AGENTS: Readonly<Record<string, HarnessAgent>> = {
  customAgentBlocking: stored(async (session, { abortSignal }) => {
    await session.run(() => untilAborted(abortSignal));
    return { message: says("unblocked") };
  }),

  customAgentFailing: stored(async (session) => {
    await session.run(async () => {
      throw new Error("intentional failure");
    });
  }),

  customAgentAbortable: stored(async (session, { abortSignal }) => {
    await session.run(async (input) => {
      if (input.message?.content[0]?.text === "block") {
        await untilAborted(abortSignal);
        throw abortSignal.reason;
      }
      session.addMessages(says("ack"));
    });
    return done(session);
  }),

  customAgentWithArtifacts: carried(async (session) => {
    await session.run(async () =>
      session.addArtifacts(artifact("doc1", "v1"), artifact("doc1", "v2"), artifact("doc2", "other")),
    );
    return done(session);
  }),

  customAgentWithArtifactsStore: stored(async (session) => {
    await session.run(async () => {
      const next = session.getArtifacts().length + 1;
      session.addArtifacts(artifact(`doc${next}`, `content${next}`));
    });
    return done(session);
  }),

  customAgentWithCustomState: carried(countTurns),
  customAgentWithCustomStateStore: stored(countTurns),

  customAgentWithMultiCustomState: carried(async (session) => {
    const counting = session as AgentSession<{ counter: number; status: string }>;
    await session.run(async () => {
      counting.updateCustom(() => ({ counter: 1, status: "working" }));
      counting.updateCustom((draft) => {
        draft.counter = 2;
      });
      counting.updateCustom((draft) => {
        draft.status = "done";
      });
    });
    return done(session);
  }),
};

async function countTurns(session: AgentSession) {
  const counting = session as AgentSession<{ counter: number } | undefined>;
  await session.run(async () => counting.updateCustom((custom) => ({ counter: (custom?.counter ?? 0) + 1 })));
  return done(session);
}

function done(session: AgentSession) {
  return { message: says("done"), artifacts: [...session.getArtifacts()] };
}

export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

type Run = (session: AgentSession, call: AgentCall) => ReturnType<AgentFunction>;

/** Server-managed. */
export function stored(run: Run, options: Partial<AgentOptions> = {}): HarnessAgent {
  return define(run, options, true);
}

/** Client-managed. */
export function carried(run: Run, options: Partial<AgentOptions> = {}): HarnessAgent {
  return define(run, options, false);
}

function define(run: Run, own: Partial<AgentOptions>, isStored: boolean): HarnessAgent {
  return {
    stored: isStored,
    define: ({ agents, options }): Agent =>
      agents.register(customAgent({ name: "agent", ...own, ...options } as never, run)),
  };
}
