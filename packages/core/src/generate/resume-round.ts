import type { Metadata } from "@agents/schema/agent";
import type { ToolBench } from "../tool/run-tool.ts";
import { runTools, type ToolStart } from "../tool/run-tools.ts";
import type { ToolOutcome } from "../tool/tool-outcome.ts";
import { isUnanswered, type PendingRound } from "./pending-requests.ts";
import { composeRound, type Round } from "./round.ts";
import type { ResumePlan } from "./validate-resume.ts";

type Settled = Exclude<ToolOutcome, { type: "failed" }>;

/**
 * Carries out what people said: takes their outputs, runs what they restarted. Throws INVALID_ARGUMENT for an output that
 * the tool's schema does not allow; rejects as `runTools` does.
 */
export async function resumeRound(bench: ToolBench, plan: ResumePlan, signal: AbortSignal): Promise<Round> {
  const { message, requests, actions } = plan;
  const outcomes: (Settled | undefined)[] = requests.map(({ toolRequest: { name } }, index) => {
    const action = actions[index];
    if (action?.type !== "respond") return undefined;
    const tool = bench.tools.find(name);
    const output = tool?.checkOutput === undefined ? action.output : tool.checkOutput(action.output);
    return { type: "completed", output };
  });
  const restarted = [...actions.entries()].filter(([, action]) => action?.type === "restart").map(([index]) => index);
  const starts = restarted.map((index) => startOf(plan, index));
  for (const [place, outcome] of (await runTools(bench, starts, signal)).entries())
    outcomes[restarted[place] as number] = outcome;
  return composeRound(message, outcomes);
}

function startOf({ requests, actions }: ResumePlan, index: number): ToolStart {
  const part = requests[index] as ToolStart["part"];
  const action = actions[index] as { readonly resumed: unknown };
  return { part, restart: { resumed: action.resumed, interrupted: part.metadata?.interrupt as Metadata | undefined } };
}

const NOT_ANSWERED: Settled = {
  type: "corrected",
  message: "Not answered: the user went on without an answer to this call.",
};

/** The round as it ends when nobody answers any more: no provider is ever sent a call without an answer. */
export function closeRound({ message, requests }: PendingRound): Extract<Round, { type: "answered" }> {
  const outcomes = requests.map((part) => (isUnanswered(part) ? NOT_ANSWERED : undefined));
  return composeRound(message, outcomes) as Extract<Round, { type: "answered" }>;
}
