import { AgentError } from "@agents/schema/error";
import type { AgentContext } from "@agents/schema/port";
import { HttpError } from "./http-error.ts";

/**
 * Says who asks: subject, scope (the tenant), and whatever tools and transforms should know. What it throws refuses the
 * request: an AgentError with its own status, anything else as UNAUTHENTICATED (401).
 */
export type Authenticate = (request: Request) => AgentContext | Promise<AgentContext>;

export interface AuthorizeCall {
  /** Name of the agent, or of the flow. */
  readonly name: string;
  readonly kind: "agent" | "flow";
  readonly operation: Operation;
  readonly context: AgentContext;
  readonly request: Request;
}

export type Operation = "describe" | "run" | "connect" | "follow" | "read" | "wait" | "abort";

/** Whether the caller may. `false` is PERMISSION_DENIED; throw NOT_FOUND to hide that there is such an agent. */
export type Authorize = (call: AuthorizeCall) => boolean | Promise<boolean>;

const CHALLENGE = { "www-authenticate": "Bearer" };

/** Fails closed: a throw of any kind, and an answer that is no context, refuse the request. */
export async function authenticateRequest(authenticate: Authenticate, request: Request): Promise<AgentContext> {
  let context: unknown;
  try {
    context = await authenticate(request);
  } catch (error) {
    if (AgentError.is(error) && error.status !== "UNAUTHENTICATED") throw error;
    throw new HttpError(401, "UNAUTHENTICATED", AgentError.is(error) ? error.message : REFUSED, {
      headers: CHALLENGE,
      cause: error,
    });
  }
  if (typeof context === "object" && context !== null) return context as AgentContext;
  throw new HttpError(401, "UNAUTHENTICATED", REFUSED, { headers: CHALLENGE });
}

const REFUSED = "The request could not be authenticated.";

export async function authorizeCall(authorize: Authorize, call: AuthorizeCall): Promise<void> {
  if ((await authorize(call)) === true) return;
  throw new AgentError("PERMISSION_DENIED", `The caller may not ${call.operation} ${call.kind} '${call.name}'.`, {
    details: { [call.kind]: call.name, operation: call.operation },
  });
}
