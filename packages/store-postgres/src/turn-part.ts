import type { Fenced, Store, TurnStore } from "@agents/schema/port";
import { beginTurn } from "./begin-turn.ts";
import type { Row } from "./database/statement.ts";
import type { PostgresContext } from "./postgres-context.ts";
import { closingValues, outcomeValues } from "./row/outcome-values.ts";
import { stateChain } from "./row/state-chain.ts";
import { readTurnText } from "./row/turn-text.ts";
import { decodeText, encodeText } from "./text/text.ts";

/** Turns as rows: each method is a call of one function of the schema. */
export function turnPart(context: PostgresContext): Store["turns"] {
  const { statements, hints } = context;
  return {
    begin: async (caller, request) => await beginTurn(context, caller, request),

    async settle(caller, { snapshotId, sessionId, epoch }, { pending, aborting, heads }) {
      const rows = await context.runSteps("settle", [
        ...context.admit(caller),
        encodeText(sessionId),
        encodeText(snapshotId),
        epoch,
        ...outcomeValues(pending),
        ...outcomeValues(aborting),
        heads,
      ]);
      const fenced = fencedOf(rows[0]);
      if (fenced.ok) hints.raise(caller.scope, [snapshotId]);
      return fenced;
    },

    heartbeat: async (leases, leaseMs) => await heartbeat(context, leases, leaseMs),

    async requestAbort(caller, snapshotId, { outcome, heads }) {
      const values = [...context.admit(caller), encodeText(snapshotId), ...closingValues(outcome), heads];
      const [row] = await context.run(statements.abort, values);
      if (row === undefined) return undefined;
      hints.raise(caller.scope, [snapshotId]);
      return { before: readTurnText(row[1]), after: readTurnText(row[2]) };
    },

    async claim(caller, snapshotId, { writer, leaseMs, known }) {
      const rows = await context.run(statements.claim, [
        ...context.admit(caller),
        encodeText(snapshotId),
        encodeText(writer),
        leaseMs,
        known.map(encodeText),
      ]);
      const [type, json, input] = rows[0] ?? [];
      if (type === undefined) return { type: "notFound" };
      const turn = readTurnText(json);
      if (type !== "claimed") return { type: "refused", turn };
      hints.raise(caller.scope, [snapshotId]);
      const lease = { snapshotId, sessionId: turn.sessionId, epoch: turn.epoch };
      return { type, lease, turn, input: decodeText(input ?? ""), chain: stateChain(rows) };
    },

    async read(caller, at, want) {
      const rows = await context.run(statements.read, [
        ...context.admit(caller),
        "snapshotId" in at ? encodeText(at.snapshotId) : null,
        "snapshotId" in at ? null : encodeText(at.sessionId),
        "snapshotId" in at ? null : at.among,
        want === "meta" ? null : want.known.map(encodeText),
      ]);
      if (rows[0] === undefined) return undefined;
      const turn = readTurnText(rows[0][1]);
      return want === "meta" ? { turn } : { turn, chain: stateChain(rows) };
    },
  };
}

async function heartbeat(
  context: PostgresContext,
  leases: Parameters<TurnStore["heartbeat"]>[0],
  leaseMs: number,
): Promise<Fenced[]> {
  // Before any is sent: a call that rejects has renewed nothing.
  const callers = leases.map(({ caller }) => context.admit(caller));
  if (leases.length === 0) return [];
  const rows = await context.run(context.statements.heartbeat, [
    callers.map(([scope]) => scope),
    callers.map(([, owner]) => owner),
    leases.map(({ lease }) => encodeText(lease.snapshotId)),
    leases.map(({ lease }) => lease.epoch),
    leaseMs,
  ]);
  const answers = leases.map((): Fenced => ({ ok: false }));
  for (const row of rows) answers[Number(row[2]) - 1] = fencedOf(row);
  return answers;
}

export function fencedOf(row: Row | undefined): Fenced {
  const [what, json] = row ?? [];
  if (what === "ok") return { ok: true, turn: readTurnText(json) };
  return typeof json === "string" ? { ok: false, turn: readTurnText(json) } : { ok: false };
}
