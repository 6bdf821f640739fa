import type { AgentInput } from "@agents/schema/agent";

/** The user says this. */
export function textInput(given: string | AgentInput): AgentInput {
  return typeof given === "string" ? { message: { role: "user", content: [{ text: given }] } } : given;
}
