import { AgentError, type Status } from "@agents/schema/error";
import type { CallOptions } from "@agents/schema/port";
import { startDeadline } from "../clock/deadline.ts";
import { wait } from "../clock/wait.ts";
import { backoffMs } from "./backoff.ts";
import { RETRIED } from "./retried.ts";
import { type HttpAnswer, sendRequest } from "./send-request.ts";
import type { Settings } from "./settings.ts";

export interface CallRequest extends CallOptions {
  readonly method?: "GET" | "POST";
  readonly path: string;
  readonly body?: unknown;
  /** How long one attempt may take, in milliseconds. @default `patience.callMs` */
  readonly callMs?: number;
  /** Attempts at most. More than one only for what may be done twice. @default `patience.maxAttempts` */
  readonly attempts?: number;
  /** A refusal with this status is the answer, although it may pass. */
  readonly accepted?: Status;
}

/**
 * One question, one answer. Repeats it after failures that pass, with growing waits. Rejects with the server's own error,
 * UNAVAILABLE when nobody answered, DEADLINE_EXCEEDED when the answer took too long, or the signal's reason.
 */
export async function call<Result>(settings: Settings, request: CallRequest): Promise<Result> {
  const { clock, backoff, random, patience } = settings;
  const { attempts = patience.maxAttempts, signal = new AbortController().signal } = request;
  for (let failures = 1; ; failures++) {
    const answer = await callOnce<Result>(settings, request);
    if ("result" in answer) return answer.result;
    signal.throwIfAborted();
    if (!answer.again || failures >= attempts) throw answer.error;
    await wait(clock, backoffMs(backoff, failures, random), signal);
    signal.throwIfAborted();
  }
}

type Answer<Result> = { readonly result: Result } | { readonly error: AgentError; readonly again: boolean };

async function callOnce<Result>(settings: Settings, request: CallRequest): Promise<Answer<Result>> {
  const { method = "POST", path, body, context, signal, callMs = settings.patience.callMs } = request;
  const tooLate = (): AgentError =>
    new AgentError("DEADLINE_EXCEEDED", `${method} ${settings.url}${path} was not answered within ${callMs} ms.`);
  const deadline = startDeadline({ clock: settings.clock, ms: callMs, signal, tooLate });
  try {
    const answer = await sendRequest(settings, {
      method,
      path,
      body,
      accept: "application/json",
      context,
      signal: deadline.signal,
    });
    if (answer.type === "refused") {
      const { status } = answer.error;
      return { error: answer.error, again: RETRIED[status] && status !== request.accepted };
    }
    return await read<Result>(answer, `${method} ${settings.url}${path}`);
  } catch (error) {
    signal?.throwIfAborted();
    if (deadline.signal.aborted) return { error: tooLate(), again: true };
    throw error;
  } finally {
    deadline.stop();
  }
}

async function read<Result>(answer: Exclude<HttpAnswer, { type: "refused" }>, what: string): Promise<Answer<Result>> {
  if (answer.type === "unreachable") return { error: answer.error, again: true };
  let text: string;
  try {
    text = await answer.response.text();
  } catch (cause) {
    // A timeout or an abort ends the reading too; the caller sees by the signal which it was.
    const error = new AgentError("UNAVAILABLE", `The answer to ${what} was cut off.`, { cause });
    return { error, again: true };
  }
  try {
    return { result: JSON.parse(text) as Result };
  } catch (cause) {
    // Node's fetch takes the end of a connection that was to be closed anyway for the end of the answer.
    if (answer.response.headers.get("content-type")?.includes("json")) {
      return { error: new AgentError("DATA_LOSS", `The answer to ${what} was cut off.`, { cause }), again: true };
    }
    throw new AgentError("UNIMPLEMENTED", `The answer to ${what} is not JSON. Is this the URL of an agent server?`, {
      details: { answer: text.slice(0, 200) },
      cause,
    });
  }
}
