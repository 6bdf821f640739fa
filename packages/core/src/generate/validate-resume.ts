import type { Message, Resume, ToolRequest, ToolRequestPart } from "@agents/schema/agent";
import { AgentError } from "@agents/schema/error";
import { jsonEqual } from "@agents/schema/patch";
import { isUnanswered, type PendingRound, pendingRound, requestKey } from "./pending-requests.ts";

/** What a person said to one call. */
export type ResumeAction =
  | { readonly type: "respond"; readonly output: unknown }
  | { readonly type: "restart"; readonly resumed: unknown };

export interface ResumePlan extends PendingRound {
  /** By the order of the requests; undefined: nothing was said to this one. */
  readonly actions: readonly (ResumeAction | undefined)[];
}

/**
 * Finds what a resume answers. Throws INVALID_ARGUMENT unless every entry matches an unanswered call of the newest model
 * message by name and ref, no call is answered twice, and every restart has the input that the model gave: a client that
 * could change it would have a tool run what nobody asked for.
 */
export function validateResume(messages: readonly Message[], { respond = [], restart = [] }: Resume): ResumePlan {
  const pending = pendingRound(messages);
  const open = new Map<string, number>();
  for (const [index, part] of (pending?.requests ?? []).entries())
    if (isUnanswered(part)) open.set(requestKey(part.toolRequest), index);
  const actions: (ResumeAction | undefined)[] = (pending?.requests ?? []).map(() => undefined);

  const take = (called: Pick<ToolRequest, "name" | "ref">, path: string, action: ResumeAction): ToolRequestPart => {
    const index = open.get(requestKey(called));
    if (pending === undefined || index === undefined) throw notFound(called, path);
    if (actions[index] !== undefined) throw twice(called, path);
    actions[index] = action;
    return pending.requests[index] as ToolRequestPart;
  };

  for (const [index, { toolResponse }] of respond.entries()) {
    take(toolResponse, `/resume/respond/${index}`, { type: "respond", output: toolResponse.output });
  }
  for (const [index, { toolRequest, metadata }] of restart.entries()) {
    const path = `/resume/restart/${index}`;
    const asked = take(toolRequest, path, { type: "restart", resumed: metadata?.resumed ?? true });
    if (!jsonEqual(toolRequest.input ?? null, asked.toolRequest.input ?? null)) throw modified(toolRequest, path);
  }
  if (pending === undefined || actions.every((action) => action === undefined)) throw nothing();
  return { ...pending, actions };
}

function describe({ name, ref }: Pick<ToolRequest, "name" | "ref">): string {
  return ref === undefined ? `'${name}'` : `'${name}' with ref '${ref}'`;
}

function notFound(called: Pick<ToolRequest, "name" | "ref">, path: string): AgentError {
  return new AgentError(
    "INVALID_ARGUMENT",
    `The call of tool ${describe(called)} was not found in session history as one that waits for an answer.`,
    { details: { path, name: called.name, ref: called.ref } },
  );
}

function twice(called: Pick<ToolRequest, "name" | "ref">, path: string): AgentError {
  return new AgentError(
    "INVALID_ARGUMENT",
    `The call of tool ${describe(called)} is answered twice. Send one answer.`,
    {
      details: { path, name: called.name, ref: called.ref },
    },
  );
}

function modified(called: ToolRequest, path: string): AgentError {
  return new AgentError(
    "INVALID_ARGUMENT",
    `The call of tool ${describe(called)} cannot be restarted with modified inputs. Send the input of the request.`,
    { details: { path: `${path}/toolRequest/input`, name: called.name, ref: called.ref } },
  );
}

function nothing(): AgentError {
  return new AgentError("INVALID_ARGUMENT", "The resume answers nothing. Give it an entry in respond or restart.", {
    details: { path: "/resume" },
  });
}
