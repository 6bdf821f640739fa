import type { TurnMeta } from "@agents/schema/port";
import type { TestContent } from "@agents/testing/store";

export { fullContent, loadState, patchContent, stateAfter, type TestContent } from "@agents/testing/store";

/** A turn that ended, and the state it left. */
export interface CompletedTurn {
  readonly id: string;
  readonly content: TestContent;
  readonly turn: TurnMeta;
}
