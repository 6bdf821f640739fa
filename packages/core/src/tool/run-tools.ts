import type { Metadata, ToolRequestPart } from "@agents/schema/agent";
import type { AgentError } from "@agents/schema/error";
import { runTool, type ToolBench } from "./run-tool.ts";
import type { ToolOutcome } from "./tool-outcome.ts";

/** One request of a model message, and how a person restarted it if they did. */
export interface ToolStart {
  readonly part: ToolRequestPart;
  readonly restart?: { readonly resumed: unknown; readonly interrupted: Metadata | undefined };
}

type Settled = Exclude<ToolOutcome, { type: "failed" }>;

/**
 * Runs the calls of one model message at the same time; outcomes keep the order of the calls. Rejects with the first
 * failure, after which the others are told to stop and not waited for, or with the signal's reason.
 */
export async function runTools(
  bench: ToolBench,
  starts: readonly ToolStart[],
  signal: AbortSignal,
): Promise<Settled[]> {
  signal.throwIfAborted();
  const round = new AbortController();
  const onAbort = (): void => round.abort(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.all(
      starts.map(async (start) => {
        const outcome = await runTool(bench, { ...start, signal: round.signal });
        if (outcome.type !== "failed") return outcome;
        round.abort(outcome.error);
        throw outcome.error satisfies AgentError;
      }),
    );
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
