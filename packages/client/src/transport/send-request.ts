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

/** Sends one request once. Rejects only with what `headers` throws, or the signal's reason. */
export async function sendRequest(settings: Settings, request: HttpRequest): Promise<HttpAnswer> {
  const { method, path, body, accept, lastEventId, context, signal } = request;
  const what = `${method} ${settings.url}${path}`;
  const own = await settings.headers({ context });
  signal.throwIfAborted();
  try {
    const response = await settings.fetch(`${settings.url}${path}`, {
      method,
      signal,
      headers: {
        accept,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(lastEventId === undefined ? {} : { "last-event-id": lastEventId }),
        ...own,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (response.ok) return { type: "answered", response };
    return { type: "refused", error: await responseError(response, what) };
  } catch (cause) {
    signal.throwIfAborted();
    const error = new AgentError("UNAVAILABLE", `${what} got no answer: ${messageOf(cause)}.`, { cause });
    return { type: "unreachable", error };
  }
}

/** fetch says little itself ("fetch failed"); the reason is in its cause. */
function messageOf(error: unknown): string {
  const { message, cause } = (error ?? {}) as { message?: unknown; cause?: { message?: unknown } };
  return [message, cause?.message].filter((text) => typeof text === "string" && text !== "").join(": ") || "no reason";
}
