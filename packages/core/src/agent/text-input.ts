import type { AgentInput } from "@agents/schema/agent";

/** The user says this. */
export function textInput(text: string): AgentInput {
  return { message: { role: "user", content: [{ text }] } };
}
