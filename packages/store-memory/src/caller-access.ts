import { AgentError } from "@agents/schema/error";
import type { Caller } from "@agents/schema/port";
import type { SessionRow, Tables, TurnRow } from "./tables.ts";

/** Throws FAILED_PRECONDITION after close, and for a caller without a scope where scopes are the rule. */
export function admit(tables: Tables, caller: Caller): void {
  refuseClosed(tables);
  if (tables.scoped && caller.scope === "") {
    throw new AgentError(
      "FAILED_PRECONDITION",
      "This memory store was created with `scoped: true` and was called with an empty scope; give every call the scope of its tenant.",
    );
  }
}

export function refuseClosed(tables: Tables): void {
  if (tables.closed) {
    throw new AgentError(
      "FAILED_PRECONDITION",
      "This memory store is closed, and what it held is gone; create another.",
    );
  }
}

/** Turns have the owner of their session. */
export function maySee(caller: Caller, { owner }: SessionRow | TurnRow): boolean {
  return caller.owner === undefined || owner === undefined || owner === caller.owner;
}

export function findSession(tables: Tables, caller: Caller, sessionId: string): SessionRow | undefined {
  const session = tables.scopes.get(caller.scope)?.sessions.get(sessionId);
  return session !== undefined && maySee(caller, session) ? session : undefined;
}

export function findTurn(tables: Tables, caller: Caller, snapshotId: string): TurnRow | undefined {
  const turn = tables.scopes.get(caller.scope)?.turns.get(snapshotId);
  return turn !== undefined && maySee(caller, turn) ? turn : undefined;
}
