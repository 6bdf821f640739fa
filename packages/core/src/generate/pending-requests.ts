import type { Message, ToolRequest, ToolRequestPart } from "@agents/schema/agent";
import { toolRequestsOf } from "../tool/tool-message.ts";
import { hasPendingOutput } from "./round.ts";

/** The newest model message, where some of its tool calls have no answer in history. */
export interface PendingRound {
  /** Its place in history. */
  readonly index: number;
  readonly message: Message;
  /** All its calls, in order. */
  readonly requests: readonly ToolRequestPart[];
}

/** Undefined: every call of the newest model message is answered, or there is none. */
export function pendingRound(messages: readonly Message[]): PendingRound | undefined {
  const index = messages.findLastIndex(({ role }) => role === "model");
  const message = messages[index];
  if (message === undefined) return undefined;
  const requests = toolRequestsOf(message);
  if (requests.length === 0 || messages[index + 1]?.role === "tool") return undefined;
  return { index, message, requests };
}

/** Whether a person can still answer it. */
export function isUnanswered(part: ToolRequestPart): boolean {
  return !hasPendingOutput(part);
}

/** Tells calls apart, within one message. */
export function requestKey({ name, ref }: Pick<ToolRequest, "name" | "ref">): string {
  return JSON.stringify([name, ref ?? null]);
}
