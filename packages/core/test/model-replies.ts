import type { Message } from "@agents/schema/agent";
import type { ScriptedReply } from "@agents/testing";

export interface Called {
  readonly name: string;
  readonly input?: unknown;
  readonly ref?: string;
}

/** The reply of a model that calls tools. */
export function callsTools(...calls: readonly Called[]): ScriptedReply {
  const content = calls.map((toolRequest) => ({ toolRequest }));
  return { response: { message: { role: "model", content }, finishReason: "stop" } };
}

export const toolSays = (...responses: readonly { name: string; ref?: string; output?: unknown }[]): Message => ({
  role: "tool",
  content: responses.map((toolResponse) => ({ toolResponse })),
});

/** A conversation with its calls, at a glance: "user: hi", "model: ask#1(…)", "tool: ask#1=…". */
export function glance(messages: readonly Message[] | undefined): string[] {
  return (messages ?? []).map(({ role, content }) => `${role}: ${content.map(glanceAt).join(" ")}`);
}

function glanceAt({ text, toolRequest, toolResponse, reasoning }: Message["content"][number]): string {
  if (toolRequest !== undefined)
    return `${toolRequest.name}#${toolRequest.ref}(${JSON.stringify(toolRequest.input ?? {})})`;
  if (toolResponse !== undefined)
    return `${toolResponse.name}#${toolResponse.ref}=${JSON.stringify(toolResponse.output)}`;
  return text ?? (reasoning === undefined ? "…" : `(${reasoning})`);
}
