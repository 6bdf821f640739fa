import type { AgentCall, AgentOptions, AgentSession } from "@agents/core";
import type { AgentResult, Message } from "@agents/schema/agent";
import { AgentError } from "@agents/schema/error";
import * as z from "zod";
import { carried, stored, untilAborted } from "./custom-agents.ts";
import type { HarnessAgent } from "./harness-agent.ts";

const says = (text: string): Message => ({ role: "model", content: [{ text }] });

/**
 * Answers "re: …" to each message, and does what some messages ask for: "block" waits for the abort signal, "fail" throws
 * after it has changed everything there is to change, "length" ends the turn with that reason.
 */
async function obey(session: AgentSession, { abortSignal }: AgentCall) {
  const counting = session as AgentSession<{ turns: number }>;
  await session.run(async (input) => {
    const text = input.message?.content[0]?.text ?? "nothing";
    if (text === "block") await untilAborted(abortSignal);
    abortSignal.throwIfAborted();
    counting.updateCustom((custom) => ({ turns: (custom?.turns ?? 0) + 1 }));
    session.addMessages(says(`re: ${text}`));
    if (text === "fail") {
      session.addArtifacts({ name: "half", parts: [{ text: "done" }] });
      throw new Error("asked to fail");
    }
    return text === "length" ? { finishReason: "length" } : {};
  });
  return session.result();
}

/** A failed turn does not end it: it says so, and goes on with the inputs that follow. */
async function persist(session: AgentSession) {
  for (let failed = true; failed; ) {
    failed = false;
    try {
      await session.run(async (input) => {
        const text = input.message?.content[0]?.text ?? "";
        if (text === "fail") throw new Error("asked to fail");
        session.addMessages(says(`re: ${text}`));
      });
    } catch {
      failed = true;
    }
  }
  return { message: says(`last turn: ${session.lastTurnFinishReason}`) };
}

/** Streams one of everything. */
async function stream(session: AgentSession, { sendChunk, sendStatus }: AgentCall) {
  const counting = session as AgentSession<{ step: number }>;
  await session.run(async () => {
    await sendChunk({ modelChunk: { role: "model", content: [{ text: "one " }] } });
    await sendChunk({ modelChunk: { role: "model", content: [{ reasoning: "hm" }] } });
    counting.updateCustom(() => ({ step: 1 }));
    counting.updateCustom((draft) => {
      draft.step = 2;
    });
    counting.updateCustom(() => {});
    await sendStatus({ phase: "writing" });
    session.addArtifacts({ name: "doc", parts: [{ text: "v1" }] }, { parts: [{ text: "unnamed" }] });
    session.addMessages(says("one two"));
  });
  return session.result();
}

/** Changes its state after its last turn. */
async function afterthought(session: AgentSession) {
  const custom = session as AgentSession<{ said: string }>;
  await session.run(async () => custom.updateCustom(() => ({ said: "in the turn" })));
  custom.updateCustom(() => ({ said: "after it" }));
}

/** The secret is in the state; clients see none of it. */
async function keepSecret(session: AgentSession, { sendChunk }: AgentCall) {
  const custom = session as AgentSession<{ shown: number; secret: string }>;
  await session.run(async (input) => {
    custom.updateCustom(() => ({ shown: 1, secret: "s1" }));
    custom.updateCustom((draft) => {
      draft.secret = "s2";
    });
    custom.updateCustom((draft) => {
      draft.shown = 2;
    });
    await sendChunk({ modelChunk: { role: "model", content: [{ text: "the secret is s2" }] } });
    session.addMessages(says("the secret is s2"));
    if (input.message?.content[0]?.text === "fail") throw new Error("the secret is s2");
  });
  return session.result();
}

/** Each turn uses as many model calls as its message says, of two tokens each. */
async function spend(session: AgentSession) {
  await session.run(async (input, turn) => {
    const calls = Number(input.message?.content[0]?.text);
    for (let call = 0; call < calls; call++) turn.recordUsage({ inputTokens: 1, outputTokens: 1 });
    session.addMessages(says(`${calls} calls`));
  });
  return session.result();
}

/** Sends its input's text as a status, and changes nothing of its custom state. */
async function report(session: AgentSession, { sendStatus }: AgentCall) {
  await session.run(async (input) => {
    session.updateCustom(() => {});
    session.updateCustom(() => {});
    await sendStatus(input.message?.content[0]?.text);
    session.addMessages(says("reported"));
  });
  return session.result();
}

/** Says something else at the end than its turn did. */
async function conclude(session: AgentSession): Promise<AgentResult> {
  await session.run(async () => {
    session.addMessages(says("in the turn"));
    return { finishReason: "length" };
  });
  return { message: says("at the end"), artifacts: [], finishReason: "blocked" };
}

const hide = (text: string | undefined): string => (text ?? "").replaceAll("s2", "***");
const hidden: NonNullable<AgentOptions["clientTransform"]> = {
  state: (state) => ({ ...state, messages: state.messages.map(hideMessage), custom: withoutSecret(state.custom) }),
  chunk: (chunk) => (chunk.modelChunk === undefined ? chunk : { modelChunk: hideMessage(chunk.modelChunk) }),
  message: hideMessage,
  error: (error) => ({ ...error, message: hide(error.message) }),
};

function hideMessage<T extends Pick<Message, "content">>(message: T): T {
  const content = message.content.map((part) => (part.text === undefined ? part : { ...part, text: hide(part.text) }));
  return { ...message, content };
}

function withoutSecret(custom: unknown): unknown {
  const { secret: _, ...rest } = (custom ?? {}) as Record<string, unknown>;
  return rest;
}

const COUNTED = { stateSchema: z.object({ turns: z.number() }), initialCustom: { turns: 0 } };

/** Agents of the project's own cases. */
export const RULE_AGENTS: Readonly<Record<string, HarnessAgent>> = {
  obedient: stored(obey),
  obedientCarried: carried(obey),
  obedientQueue: stored(obey, { concurrency: "queue", limits: { timeMs: 50 } }),
  obedientInterrupt: stored(obey, { concurrency: "interrupt" }),
  obedientFork: stored(obey, { concurrency: "fork" }),
  obedientNoForks: stored(obey, { ifForked: "reject" }),
  obedientChecked: stored(obey, COUNTED),
  obedientCheckedCarried: carried(obey, COUNTED),
  obedientStrict: carried(obey, { stateSchema: z.object({ turns: z.number().max(1) }) }),
  persistent: stored(persist),
  streaming: stored(stream),
  neverSaving: stored(obey, { snapshot: "never" }),
  savingEveryOther: stored(obey, { snapshot: ({ state }) => state.messages.length % 4 !== 2 }),
  savingAtEnd: stored(afterthought, { snapshot: ["turnEnd", "invocationEnd"] }),
  notSavingAtEnd: stored(afterthought),
  secretive: stored(keepSecret, { clientTransform: hidden }),
  secretiveCarried: carried(keepSecret, { clientTransform: hidden }),
  showingNothing: carried(keepSecret, { clientTransform: { state: () => undefined, chunk: () => undefined } }),
  brokenTransform: stored(keepSecret, {
    clientTransform: {
      chunk: () => {
        throw new Error("the transform broke");
      },
    },
  }),
  closeMouthed: stored(obey, {
    clientTransform: {
      state: (state) => {
        if (!state.messages.some(({ content }) => content[0]?.text === "re: secret")) return state;
        throw new AgentError("PERMISSION_DENIED", "the state is not for you");
      },
    },
  }),
  hidingErrors: stored(obey, { clientTransform: { error: () => undefined } }),
  limited: stored(obey, { limits: { timeMs: 50 } }),
  spending: stored(spend, { limits: { modelCalls: 3 } }),
  spendingTokens: carried(spend, { limits: { tokens: 5 } }),
  reporting: stored(report, { statusSchema: z.enum(["busy", "idle"]), initialCustom: { n: 1 } }),
  concluding: stored(conclude),
  idle: stored(async () => ({ message: says("I did nothing") })),
};
