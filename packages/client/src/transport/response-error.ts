import { AgentError, fromResourceError, fromWireError, isStatus, statusFromHttp } from "@agents/schema/error";

/** Longest error body that is looked at, in characters. */
const MAX_BODY = 1_000_000;

/**
 * What an answer that is no success says. Our servers send `{ status, message, details }`; anything else (a proxy's page)
 * becomes the nearest status with `details.httpStatus`.
 */
export async function responseError(response: Response, what: string): Promise<AgentError> {
  const body = parse(await response.text().catch(() => ""));
  const { error } = body;
  if (isStatus(body.status)) return fromWireError(body);
  if (isObject(error) && isStatus(error.status)) return fromWireError(error);
  if (typeof error === "string" && isStatus(body.code)) return fromResourceError(body);
  const { status, statusText } = response;
  return new AgentError(statusFromHttp(status), `${what} was answered with HTTP ${status} ${statusText}`.trim(), {
    details: { httpStatus: status },
  });
}

function parse(text: string): Record<string, unknown> {
  try {
    const value: unknown = text.length > MAX_BODY ? undefined : JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
