import { AgentError } from "@agents/schema/error";
import type { AgentContext } from "@agents/schema/port";
import { responseError } from "./response-error.ts";
import type { Settings } from "./settings.ts";

export interface HttpRequest {
  readonly method: "GET" | "POST";
  /** Below the server's URL, with its query. */
  readonly path: string;
  readonly body?: unknown;
  readonly accept: "application/json" | "text/event-stream";
  readonly lastEventId?: string | undefined;
  readonly context: AgentContext | undefined;
  readonly signal: AbortSignal;
}

/** What became of a request: an answer, a refusal in the server's own words, or nobody there. */
export type HttpAnswer =
  | { readonly type: "answered"; readonly response: Response }
  | { readonly type: "refused"; readonly error: AgentError }
  | { readonly type: "unreachable"; readonly error: AgentError };

/** Sends one request once. Rejects only with INVALID_ARGUMENT, with what `headers` throws, or the signal's reason. */
export async function sendRequest(settings: Settings, request: HttpRequest): Promise<HttpAnswer> {
  const { method, path, body, accept, lastEventId, context, signal } = request;
  const what = `${method} ${settings.url}${path}`;
  settings.checkUrl();
  const text = body === undefined ? undefined : jsonOf(body, what);
  const own = await settings.headers({ context });
  signal.throwIfAborted();
  try {
    const response = await settings.fetch(`${settings.url}${path}`, {
      method,
      signal,
      headers: {
        accept,
        ...(text === undefined ? {} : { "content-type": "application/json" }),
        ...(lastEventId === undefined ? {} : { "last-event-id": lastEventId }),
        ...own,
      },
      ...(text === undefined ? {} : { body: text }),
    });
    if (response.ok) return { type: "answered", response };
    return { type: "refused", error: await responseError(response, what) };
  } catch (cause) {
    signal.throwIfAborted();
    const error = new AgentError("UNAVAILABLE", `${what} got no answer: ${messageOf(cause)}.`, { cause });
    return { type: "unreachable", error };
  }
}

function jsonOf(body: unknown, what: string): string {
  try {
    return JSON.stringify(body);
  } catch (cause) {
    throw new AgentError("INVALID_ARGUMENT", `The body of ${what} cannot be written as JSON: ${messageOf(cause)}.`, {
      cause,
    });
  }
}

/** fetch says little itself ("fetch failed"); the reason is in its cause. */
function messageOf(error: unknown): string {
  const { message, cause } = (error ?? {}) as { message?: unknown; cause?: { message?: unknown } };
  return [message, cause?.message].filter((text) => typeof text === "string" && text !== "").join(": ") || "no reason";
}
