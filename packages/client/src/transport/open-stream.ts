import { AgentError } from "@agents/schema/error";
import type { AgentContext } from "@agents/schema/port";
import { HEADERS } from "@agents/schema/route";
import { startDeadline } from "../clock/deadline.ts";
import { FrameReader } from "./frame-reader.ts";
import { sendRequest } from "./send-request.ts";
import type { Settings } from "./settings.ts";

export interface StreamRequest {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly body?: unknown;
  readonly lastEventId?: string | undefined;
  readonly context: AgentContext | undefined;
  /** Milliseconds before the first byte of the answer. */
  readonly answerMs: number;
  /** Milliseconds without a byte; asked at each read. */
  readonly idleMs: () => number;
  /** Gives the attempt up. Once there is a stream, closing that is what ends it. */
  readonly signal: AbortSignal;
}

export type OpenedStream =
  | { readonly type: "opened"; readonly turnId: string | undefined; readonly frames: FrameReader }
  | { readonly type: "refused"; readonly error: AgentError }
  | { readonly type: "cut"; readonly error: AgentError };

/** Asks for a stream once. Rejects only with what `headers` throws, or the signal's reason. */
export async function openStream(settings: Settings, request: StreamRequest): Promise<OpenedStream> {
  const { answerMs, idleMs, signal, ...asked } = request;
  const { clock } = settings;
  const what = `${asked.method} ${settings.url}${asked.path}`;
  const connection = new AbortController();
  const tooLate = new AgentError("DEADLINE_EXCEEDED", `${what} was not answered within ${answerMs} ms.`);
  const attempt = startDeadline({ clock, ms: answerMs, signal, tooLate: () => tooLate });
  const giveUp = (): void => connection.abort(attempt.signal.reason);
  attempt.signal.addEventListener("abort", giveUp, { once: true });
  if (attempt.signal.aborted) giveUp();
  try {
    const answer = await sendRequest(settings, { ...asked, accept: "text/event-stream", signal: connection.signal });
    if (answer.type === "unreachable") return { type: "cut", error: answer.error };
    if (answer.type === "refused") return answer;
    const { response } = answer;
    const type = response.headers.get("content-type") ?? "";
    if (!type.includes("text/event-stream")) {
      connection.abort();
      return { type: "refused", error: noStream(what, type) };
    }
    const frames = new FrameReader({ response, clock, idleMs, abort: () => connection.abort() });
    return { type: "opened", turnId: response.headers.get(HEADERS.turnId) ?? undefined, frames };
  } catch (error) {
    if (error === tooLate) return { type: "cut", error: tooLate };
    throw error;
  } finally {
    attempt.stop();
    attempt.signal.removeEventListener("abort", giveUp);
  }
}

function noStream(what: string, type: string): AgentError {
  return new AgentError(
    "UNIMPLEMENTED",
    `${what} was answered with ${type || "no content type"} instead of an event stream. Is this the URL of an agent server?`,
    { details: { contentType: type } },
  );
}
