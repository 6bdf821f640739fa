import { AgentError, type Status, statusFromHttp, toAgentError } from "@agents/schema/error";
import { retryAfterMs } from "./retry-after.ts";

/** Where the call was when it failed: after the answer began, whatever breaks it is the connection's or the provider's. */
export type CallPhase = "calling" | "reading";

/**
 * The AgentError for what a provider's package threw or sent. Errors are known by name, not by class, so that any version
 * of their package will do. The provider's own words are in the message where they help to mend the request; with refused
 * credentials they may quote the key, so there they are only in `cause`.
 */
export function toProviderError(error: unknown, { model, phase }: { model: string; phase: CallPhase }): AgentError {
  if (AgentError.is(error)) return error;
  const failure = readFailure(error);
  const status = statusOf(failure, phase);
  if (status === undefined) return toAgentError(error);
  const { http, code, message } = failure;
  const retryAfter = retryAfterMs(failure);
  return new AgentError(status, `${phraseOf(status, { model, phase, http })}${quote(status, message)}`, {
    details: {
      model,
      ...(http !== undefined && { httpStatus: http }),
      ...(code !== undefined && { code }),
      ...(retryAfter !== undefined && { retryAfterMs: retryAfter }),
    },
    cause: error,
  });
}

/** A stream whose end is missing: what came before it may be half an answer, or half a tool call. */
export function endedEarly(model: string): AgentError {
  return new AgentError(
    "UNAVAILABLE",
    `The answer of model ${model} ended before the provider said why; it may be incomplete. Try again.`,
    { details: { model } },
  );
}

/** The provider ended the answer because of an error of its own: a function call it could not write, for one. */
export function finishedWithError(model: string, { raw }: { readonly raw: string | undefined }): AgentError {
  return new AgentError(
    "UNAVAILABLE",
    `Model ${model} ended its answer with an error${raw === undefined ? "" : ` (${raw})`}. Try again.`,
    { details: { model, ...(raw !== undefined && { code: raw }) } },
  );
}

interface Failure {
  readonly name: string | undefined;
  readonly message: string | undefined;
  readonly http: number | undefined;
  /** The provider's own word for it. */
  readonly code: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** Of an error object of a provider's package, or of the JSON of an error that a provider sent within a stream. */
function readFailure(error: unknown): Failure {
  const outer = record(error);
  const fields = { ...outer, ...record(outer["error"]) };
  const body = bodyOf(outer);
  const said = record(record(body)["error"] ?? body);
  const code = [fields["code"], fields["type"], said["code"], said["type"]].find((value) => typeof value === "string");
  return {
    name: error instanceof Error ? error.name : undefined,
    message: text(error instanceof Error ? error.message : fields["message"]) ?? text(error),
    http: httpStatus(fields["statusCode"]) ?? httpStatus(fields["code"]),
    code: text(code),
    headers: record(outer["responseHeaders"]) as Record<string, string>,
    body,
  };
}

/** The body of an HTTP error. A provider may send anything. */
function bodyOf(error: Record<string, unknown>): unknown {
  try {
    return JSON.parse(String(error["responseBody"]));
  } catch {
    return error["data"] ?? error;
  }
}

function statusOf({ name, http, code }: Failure, phase: CallPhase): Status | undefined {
  const sent = code === undefined ? undefined : SENT[code];
  if (http !== undefined && http >= 500) return sent ?? "UNAVAILABLE";
  if (http !== undefined && http >= 400) return HTTP[http] ?? statusFromHttp(http);
  const known = sent ?? (name === undefined ? undefined : THROWN[name]);
  return known ?? (phase === "reading" ? "UNAVAILABLE" : undefined);
}

/** Where providers mean something else than the canonical mapping does. */
const HTTP: Readonly<Record<number, Status>> = {
  402: "FAILED_PRECONDITION",
  408: "UNAVAILABLE",
  // "Try again": nobody's turn was aborted.
  409: "UNAVAILABLE",
  // A prompt that is too large stays so, however long one waits.
  413: "INVALID_ARGUMENT",
  425: "UNAVAILABLE",
};

/** Errors within a stream have no HTTP status, or one that their package made up. */
const SENT: Readonly<Record<string, Status>> = {
  invalid_request_error: "INVALID_ARGUMENT",
  request_too_large: "INVALID_ARGUMENT",
  context_length_exceeded: "INVALID_ARGUMENT",
  authentication_error: "UNAUTHENTICATED",
  invalid_api_key: "UNAUTHENTICATED",
  permission_error: "PERMISSION_DENIED",
  not_found_error: "NOT_FOUND",
  rate_limit_error: "RESOURCE_EXHAUSTED",
  rate_limit_exceeded: "RESOURCE_EXHAUSTED",
  insufficient_quota: "RESOURCE_EXHAUSTED",
};

/** Errors of the AI SDK, by name. A call that reached no answer we could read may do better next time. */
const THROWN: Readonly<Record<string, Status>> = {
  AI_APICallError: "UNAVAILABLE",
  AI_EmptyResponseBodyError: "UNAVAILABLE",
  AI_InvalidResponseDataError: "UNAVAILABLE",
  AI_JSONParseError: "UNAVAILABLE",
  AI_NoContentGeneratedError: "UNAVAILABLE",
  AI_InvalidArgumentError: "INVALID_ARGUMENT",
  AI_InvalidPromptError: "INVALID_ARGUMENT",
  AI_UnsupportedFunctionalityError: "INVALID_ARGUMENT",
  AI_NoSuchModelError: "NOT_FOUND",
  AI_LoadAPIKeyError: "UNAUTHENTICATED",
  AI_LoadSettingError: "FAILED_PRECONDITION",
  // Of fetch itself, when it gave up by its own limits.
  AbortError: "UNAVAILABLE",
  TimeoutError: "DEADLINE_EXCEEDED",
};

function phraseOf(
  status: Status,
  { model, phase, http }: { model: string; phase: CallPhase; http: number | undefined },
): string {
  const answered = http === undefined ? "" : ` (HTTP ${http})`;
  switch (status) {
    case "UNAUTHENTICATED":
    case "PERMISSION_DENIED":
      return `The provider of model ${model} refused the credentials${answered}. Check the API key and what it may use.`;
    case "RESOURCE_EXHAUSTED":
      return `The provider of model ${model} limits the rate or quota${answered}`;
    case "INVALID_ARGUMENT":
      return `The request does not fit model ${model}${answered}`;
    case "UNAVAILABLE":
      return phase === "reading"
        ? `The answer of model ${model} broke off${answered}`
        : `Model ${model} could not be reached, or gave no answer that can be read${answered}`;
    default:
      return `The call of model ${model} failed${answered}`;
  }
}

const QUOTED = 500;

function quote(status: Status, message: string | undefined): string {
  if (status === "UNAUTHENTICATED" || status === "PERMISSION_DENIED") return "";
  if (message === undefined) return ".";
  return `: ${message.length > QUOTED ? `${message.slice(0, QUOTED)}…` : message}`;
}

function httpStatus(value: unknown): number | undefined {
  const number = typeof value === "string" ? Number(value) : value;
  return typeof number === "number" && Number.isInteger(number) && number >= 100 && number < 600 ? number : undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
