import type { Message, ToolRequestPart, ToolResponsePart } from "@agents/schema/agent";
import { errorResponsePart, toolMessage, toolRequestsOf } from "../tool/tool-message.ts";
import { requestKey } from "./pending-requests.ts";

/**
 * History as a provider takes it: after each message with tool calls the answers to just these calls, and no answers
 * anywhere else. The same list where nothing is to be mended; what is stored stays as it is. Histories that clients carry,
 * that custom agents wrote, or that a policy cut can be anything.
 */
export function balanceHistory(messages: readonly Message[]): readonly Message[] {
  const result: Message[] = [];
  let changed = false;
  for (let index = 0; index < messages.length; index++) {
    const message = messages[index] as Message;
    if (message.role === "tool") {
      // Those that follow their requests were taken with them: this one answers nothing.
      changed = true;
      continue;
    }
    result.push(message);
    const requests = message.role === "model" ? toolRequestsOf(message) : [];
    if (requests.length === 0) continue;
    const given: Message[] = [];
    while (messages[index + 1]?.role === "tool") given.push(messages[++index] as Message);
    const answers = answersFor(requests, given);
    changed ||= answers !== given[0];
    result.push(answers);
  }
  return changed ? result : messages;
}

/** The one message that was given, where it is right as it stands. */
function answersFor(requests: readonly ToolRequestPart[], given: readonly Message[]): Message {
  const parts = given.flatMap(({ content }) => content.filter((part) => part.toolResponse !== undefined));
  const known = new Map(parts.map((part) => [requestKey((part as ToolResponsePart).toolResponse), part]));
  const [first] = given;
  const isRight =
    given.length === 1 &&
    first?.content.length === requests.length &&
    requests.every(({ toolRequest }) => known.has(requestKey(toolRequest)));
  if (isRight && first !== undefined) return first;
  return toolMessage(
    requests.map(
      (part) => (known.get(requestKey(part.toolRequest)) as ToolResponsePart | undefined) ?? unanswered(part),
    ),
  );
}

function unanswered(part: ToolRequestPart): ToolResponsePart {
  return errorResponsePart(part, { message: "Not answered." });
}
