import type { Message, Metadata, ToolRequestPart, ToolResponsePart } from "@agents/schema/agent";
import { isToolRequest, toolMessage, toolRequestsOf, toolResponsePart, withMetadata } from "../tool/tool-message.ts";
import type { ToolOutcome } from "../tool/tool-outcome.ts";

type Settled = Exclude<ToolOutcome, { type: "failed" }>;

/** A model message and what has become of its tool calls. */
export type Round =
  /** Every call has an answer: both messages belong into history. */
  | { readonly type: "answered"; readonly message: Message; readonly answers: Message }
  /** Some calls wait for a person: the message says which, and holds the answers of the others. */
  | { readonly type: "waiting"; readonly message: Message };

/**
 * Puts the outcomes of a message's calls where they belong.
 *
 * @param outcomes By the order of the requests. Undefined: nothing new of this one; what was recorded before counts.
 */
export function composeRound(message: Message, outcomes: readonly (Settled | undefined)[]): Round {
  const requests = toolRequestsOf(message);
  const answers = requests.map((part, index) => answerOf(part, outcomes[index]));
  const isWaiting = answers.includes(undefined);
  const next = requests.map((part, index) =>
    isWaiting ? waitingPart(part, outcomes[index], answers[index]) : answeredPart(part),
  );
  const composed = withRequests(message, next);
  if (isWaiting) return { type: "waiting", message: composed };
  return { type: "answered", message: composed, answers: toolMessage(answers as ToolResponsePart[]) };
}

/** Whether a call has an answer that was recorded while another one waits. */
export function hasPendingOutput({ metadata }: ToolRequestPart): boolean {
  return metadata !== undefined && "pendingOutput" in metadata;
}

function answerOf(part: ToolRequestPart, outcome: Settled | undefined): ToolResponsePart | undefined {
  if (outcome?.type === "completed" || outcome?.type === "corrected") return toolResponsePart(part, outcome);
  if (outcome?.type === "interrupted" || !hasPendingOutput(part)) return undefined;
  const { pendingOutput: output, pendingMetadata } = part.metadata as Metadata;
  return toolResponsePart(part, { type: "completed", output, metadata: pendingMetadata as Metadata | undefined });
}

function waitingPart(
  part: ToolRequestPart,
  outcome: Settled | undefined,
  answer: ToolResponsePart | undefined,
): ToolRequestPart {
  if (outcome === undefined) return part;
  const { interrupt: _, ...metadata } = part.metadata ?? {};
  if (outcome.type === "interrupted") return withMetadata(part, { ...metadata, interrupt: outcome.metadata });
  const { toolResponse, metadata: pendingMetadata } = answer as ToolResponsePart;
  const pending = { pendingOutput: toolResponse.output ?? null, ...(pendingMetadata && { pendingMetadata }) };
  return withMetadata(part, { ...part.metadata, ...pending });
}

/** That it was interrupted stays to be read; what was recorded meanwhile is in the answers. */
function answeredPart(part: ToolRequestPart): ToolRequestPart {
  if (!hasPendingOutput(part)) return part;
  const { pendingOutput: _, pendingMetadata: __, ...metadata } = part.metadata as Metadata;
  return withMetadata(part, metadata);
}

/** The same message if no part changed. */
function withRequests(message: Message, requests: readonly ToolRequestPart[]): Message {
  let index = 0;
  let changed = false;
  const content = message.content.map((part) => {
    if (!isToolRequest(part)) return part;
    const next = requests[index++] as ToolRequestPart;
    changed ||= next !== part;
    return next;
  });
  return changed ? { ...message, content } : message;
}
