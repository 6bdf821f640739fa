import { AgentError } from "@agents/schema/error";
import type { SessionIndex, Store } from "@agents/schema/port";

/** The part of a store that sessions are moved by. Throws FAILED_PRECONDITION where it has none. */
export function transferIndex(store: Store, what: string): SessionIndex {
  if (store.index !== undefined) return store.index;
  throw new AgentError(
    "FAILED_PRECONDITION",
    `${what} needs a store with the part "index", which the ${store.name} store does not have.`,
    { details: { store: store.name, part: "index" } },
  );
}
