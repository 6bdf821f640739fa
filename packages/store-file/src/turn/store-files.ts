import { AgentError } from "@agents/schema/error";
import { sessionRoute } from "@agents/schema/hash";
import type { Caller, StateChain } from "@agents/schema/port";
import type { Journal } from "../journal/journal.ts";
import type { Journals, Place } from "../journal/journals.ts";
import { textsOf } from "../journal/texts.ts";
import type { SavedChain } from "../session/state-chain.ts";

/** What every operation works on. */
export interface StoreFiles {
  readonly directory: string;
  readonly journals: Journals;
  readonly scoped: boolean;
  readonly maxChainLength: number | undefined;
  readonly cursorKey: string;
  closed: boolean;
}

/** Throws FAILED_PRECONDITION after close, and for a caller without a scope where scopes are the rule. */
export function admit(files: StoreFiles, caller: Caller): void {
  refuseClosed(files);
  if (files.scoped && caller.scope === "") {
    throw new AgentError(
      "FAILED_PRECONDITION",
      "This file store was created with `scoped: true` and was called with an empty scope; give every call the scope of its tenant.",
    );
  }
}

export function refuseClosed(files: StoreFiles): void {
  if (files.closed) {
    throw new AgentError("FAILED_PRECONDITION", "This file store is closed; create another over the same directory.");
  }
}

export function sessionPlace({ scope }: Caller, sessionId: string): Place {
  return { scope, route: sessionRoute(sessionId) };
}

/** A chain with its texts. */
export function loadChain(journal: Journal, { knownId, rows }: SavedChain): StateChain {
  const texts = textsOf(journal).statesOf(rows.map(({ state }) => state));
  return {
    ...(knownId !== undefined && { knownId }),
    rows: rows.map(({ snapshotId, state }, index) => {
      return { snapshotId, kind: state.field[0] === "full" ? "full" : "patch", json: texts[index] ?? "" };
    }),
  };
}
