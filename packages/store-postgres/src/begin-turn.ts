import { AgentError } from "@agents/schema/error";
import type { BeginRequest, BeginResult, Caller } from "@agents/schema/port";
import type { Row } from "./database/statement.ts";
import type { PostgresContext } from "./postgres-context.ts";
import { closingValues } from "./row/outcome-values.ts";
import { stateChain } from "./row/state-chain.ts";
import { readTurnText } from "./row/turn-text.ts";
import { decodeText, encodeText, encodeTexts } from "./text/text.ts";

export async function beginTurn(context: PostgresContext, caller: Caller, request: BeginRequest): Promise<BeginResult> {
  refuseMisnumbered(request);
  const rows = await context.runSteps("begin", [...context.admit(caller), ...beginValues(request)]);
  const result = answerOf(rows);
  if (result.type === "begun") {
    context.hints.raise(caller.scope, [request.snapshotId, result.closed, result.interrupted]);
  }
  return result;
}

function beginValues(request: BeginRequest): unknown[] {
  const { from, events, lost, fingerprint } = request;
  const isSend = "create" in from;
  return [
    encodeText(request.snapshotId),
    encodeText(request.agent),
    from.sessionId === undefined ? null : encodeText(from.sessionId),
    isSend ? null : encodeText(from.snapshotId),
    isSend && from.create,
    isSend ? from.ifActive : null,
    isSend ? from.ifForked : null,
    request.resumable,
    encodeText(request.writer),
    fingerprint === undefined ? null : encodeText(fingerprint),
    encodeText(request.input),
    request.leaseMs,
    request.known.map(encodeText),
    events.events.length,
    events.events.length === 0 ? null : encodeTexts(events.events),
    ...closingValues(lost.pending),
    ...closingValues(lost.aborting),
    lost.heads,
  ];
}

function answerOf(rows: readonly Row[]): BeginResult {
  const [type, json, parent, closed, interrupted] = rows[0] ?? [];
  switch (type) {
    case "begun": {
      const turn = readTurnText(json);
      return {
        type,
        lease: { snapshotId: turn.snapshotId, sessionId: turn.sessionId, epoch: 1 },
        turn,
        ...(typeof parent === "string" ? { parent: readTurnText(parent) } : {}),
        chain: stateChain(rows),
        ...(typeof interrupted === "string" ? { interrupted: decodeText(interrupted) } : {}),
        ...(typeof closed === "string" ? { closed: decodeText(closed) } : {}),
      };
    }
    case "existing":
    case "conflict":
    case "busy":
    case "notResumable":
      return { type, turn: readTurnText(json) };
    case "notFound":
    case "archived":
    case "otherSession":
    case "forked":
      return { type };
    default:
      throw new AgentError("INTERNAL", `Postgres store: begin answered ${JSON.stringify(type)}.`);
  }
}

function refuseMisnumbered({ events: { firstSeq, events } }: BeginRequest): void {
  if (events.length === 0 || firstSeq === 1) return;
  throw new AgentError("INVALID_ARGUMENT", `The first events of a turn start at ${firstSeq}; they start at 1.`);
}
