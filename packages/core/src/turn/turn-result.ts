import type { FinishReason, Usage } from "@agents/schema/agent";
import { AgentError, type WireError } from "@agents/schema/error";

/** What a settled row says besides its state. Stores keep it as text and never look inside. */
export interface TurnResult {
  readonly finishReason: FinishReason;
  readonly error?: WireError;
  readonly usage?: Usage;
}

export function encodeTurnResult(result: TurnResult): string {
  return JSON.stringify(result);
}

/** Throws DATA_LOSS for text that `encodeTurnResult` did not write. */
export function decodeTurnResult(snapshotId: string, text: string): TurnResult {
  try {
    const result = JSON.parse(text) as TurnResult;
    if (typeof result.finishReason === "string") return result;
  } catch {
    // Said below, for both.
  }
  throw new AgentError("DATA_LOSS", `The stored result of snapshot ${snapshotId} cannot be read.`, {
    details: { snapshotId },
  });
}
