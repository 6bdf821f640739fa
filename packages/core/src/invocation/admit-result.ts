import { type AgentResult, type FinishReason, FinishReasonSchema } from "@agents/schema/agent";
import { AgentError } from "@agents/schema/error";
import { checkArtifacts, checkMessages } from "../state/check-shape.ts";
import { importJson } from "../state/import-json.ts";
import type { State } from "../state/state.ts";

/**
 * What an agent's function has returned, fit to be given out: frozen, so that what callers hold does not change any more.
 * What it took from the state is that already. Throws INVALID_ARGUMENT with the path.
 */
export function admitResult({ message, artifacts, finishReason }: AgentResult, state: State): AgentResult {
  const admitted: AgentResult = {};
  if (message !== undefined) {
    checkMessages([message], "/result/message");
    const isKnown = state.history.findLast((said) => said === message) !== undefined;
    admitted.message = isKnown ? message : importJson(message, "/result/message");
  }
  if (artifacts !== undefined) {
    checkArtifacts(artifacts, "/result/artifacts");
    const known = new Set(state.artifacts);
    admitted.artifacts = artifacts.map((artifact) =>
      known.has(artifact) ? artifact : importJson(artifact, "/result/artifacts"),
    );
  }
  if (finishReason !== undefined) admitted.finishReason = admitReason(finishReason, "/result/finishReason");
  return admitted;
}

const REASONS: ReadonlySet<unknown> = new Set(FinishReasonSchema.options);

/** Throws INVALID_ARGUMENT for a reason that there is not. */
export function admitReason(reason: FinishReason, at: string): FinishReason {
  if (REASONS.has(reason)) return reason;
  throw new AgentError(
    "INVALID_ARGUMENT",
    `The value at "${at}" is ${JSON.stringify(reason)}; a finish reason is one of ${FinishReasonSchema.options.join(", ")}.`,
    { details: { path: at } },
  );
}
