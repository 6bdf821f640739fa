import type { ModelChunk } from "@agents/schema/agent";
import { AgentError } from "@agents/schema/error";
import type { Model, ModelCall, ModelRequest, ModelResponse } from "@agents/schema/port";

/** What one call answers. `chunks` are sent first, one by one, if the caller takes chunks. */
export type ScriptedReply =
  | { readonly response: ModelResponse; readonly chunks?: readonly ModelChunk[] }
  | { readonly error: unknown; readonly chunks?: readonly ModelChunk[] };

/** A reply, or a function that makes one from the request, now or later. */
export type ScriptedStep =
  | ScriptedReply
  | ((request: ModelRequest, call: ModelCall) => ScriptedReply | Promise<ScriptedReply>);

export interface ScriptedModelOptions {
  /** @default "scripted" */
  readonly name?: string;
}

export interface ScriptedModel extends Model {
  /** What it was asked, in order of the calls, each as it was at that moment. */
  readonly requests: readonly ModelRequest[];
  /** Steps that no call has taken yet. */
  readonly remaining: number;
}

/**
 * A model that answers from a script, one step per call. A call beyond the script rejects with FAILED_PRECONDITION that
 * names the call. An aborted call rejects with `signal.reason`, also while a step or a slow reader is being waited for;
 * it has used its step.
 */
export function createScriptedModel(
  script: readonly ScriptedStep[],
  { name = "scripted" }: ScriptedModelOptions = {},
): ScriptedModel {
  const requests: ModelRequest[] = [];
  return {
    name,
    requests,
    get remaining() {
      return Math.max(0, script.length - requests.length);
    },
    async generate(request, call) {
      const step = script[requests.length];
      requests.push(structuredClone(request));
      if (step === undefined) throw beyondScript(name, script.length, requests.length);
      call.signal.throwIfAborted();
      return await unlessAborted(call.signal, play(step, request, call));
    },
  };
}

/** The reply of a model that says `text` and stops. With `chunks`, these pieces of it are streamed first. */
export function textReply(text: string, chunks: readonly string[] = []): ScriptedReply {
  return {
    response: { message: { role: "model", content: [{ text }] }, finishReason: "stop" },
    chunks: chunks.map((piece) => ({ role: "model", content: [{ text: piece }] })),
  };
}

function beyondScript(name: string, steps: number, call: number): AgentError {
  return new AgentError(
    "FAILED_PRECONDITION",
    `Model ${name} was called for the ${ordinal(call)} time, and its script has ${steps} ${steps === 1 ? "step" : "steps"}; add step ${call}, or find out why it was called.`,
    { details: { call, steps } },
  );
}

function ordinal(count: number): string {
  const teen = count % 100 > 10 && count % 100 < 14;
  const suffix = teen ? "th" : (["th", "st", "nd", "rd"][count % 10] ?? "th");
  return `${count}${suffix}`;
}

async function play(step: ScriptedStep, request: ModelRequest, call: ModelCall): Promise<ModelResponse> {
  const reply = typeof step === "function" ? await step(request, call) : step;
  for (const chunk of reply.chunks ?? []) {
    call.signal.throwIfAborted();
    await call.sendChunk?.(chunk);
  }
  if ("error" in reply) throw reply.error;
  return reply.response;
}

async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  let stop = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
