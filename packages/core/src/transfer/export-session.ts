import { AgentError } from "@agents/schema/error";
import type { Caller, SessionRecord, StateText, Store, TurnRecord } from "@agents/schema/port";
import type { DocumentTurn, SessionDocument } from "@agents/schema/wire";
import { rebuildStates } from "./rebuild-states.ts";
import { DOCUMENT_FORMAT } from "./session-document.ts";
import { transferIndex } from "./transfer-index.ts";

export interface ExportSessionOptions {
  readonly sessionId: string;
  /** @default the scope of a deployment without tenants */
  readonly caller?: Caller;
}

/**
 * A session whole, as one JSON value: turns, states, events, branches. Every state was rebuilt and hashed, so what is
 * exported can be imported. Rejects with NOT_FOUND for a session that does not exist for the caller, FAILED_PRECONDITION
 * while turns of it are live, naming them, and DATA_LOSS for a state that is not what was saved.
 */
export async function exportSession(
  store: Store,
  { sessionId, caller = { scope: "" } }: ExportSessionOptions,
): Promise<SessionDocument> {
  const record = await transferIndex(store, "To export a session").exportSession(caller, sessionId);
  if (record === undefined) {
    throw new AgentError("NOT_FOUND", `Session ${JSON.stringify(sessionId)} is not in the ${store.name} store.`, {
      details: { sessionId },
    });
  }
  refuseLive(record);
  const document = documentOf(record);
  rebuildStates(document);
  return document;
}

function refuseLive({ session: { sessionId }, turns }: SessionRecord<StateText>): void {
  const live = turns.filter(({ turn }) => turn.status === "pending" || turn.status === "aborting");
  if (live.length === 0) return;
  const ids = live.map(({ turn }) => turn.snapshotId);
  throw new AgentError(
    "FAILED_PRECONDITION",
    `Session ${sessionId} has live turns: ${ids.slice(0, 5).join(", ")}. Wait for them, or abort them; what is live cannot be moved.`,
    { details: { sessionId, live: ids } },
  );
}

function documentOf({ session, turns }: SessionRecord<StateText>): SessionDocument {
  const { metadata, activeId: _, ...rest } = session;
  return {
    format: DOCUMENT_FORMAT,
    version: 1,
    session: {
      ...rest,
      ...(metadata === undefined ? {} : { metadata: parse(metadata, "metadata", rest.sessionId) }),
    },
    turns: turns.map(turnOf),
  } as SessionDocument;
}

function turnOf({ turn, input, content, events, ...record }: TurnRecord<StateText>): DocumentTurn {
  const { sessionId: _, stale: __, owner: ___, heartbeatAt: ____, result, state, ...meta } = turn;
  const { snapshotId } = turn;
  return {
    ...meta,
    ...record,
    ...(result === undefined ? {} : { result: parse(result, "result", snapshotId) }),
    ...(input === undefined ? {} : { input: parse(input, "input", snapshotId) }),
    ...(content === undefined ? {} : { state: { hash: state?.stateHash ?? "", ...stateOf(content, snapshotId) } }),
    events: events.map(({ epoch, json }) => ({ epoch, event: parse(json, "event", snapshotId) })),
  } as DocumentTurn;
}

function stateOf({ kind, json }: StateText, snapshotId: string): object {
  const value = parse(json, "state", snapshotId);
  return kind === "full" ? { full: value } : { patch: value };
}

function parse(json: string, what: string, of: string): unknown {
  try {
    return JSON.parse(json);
  } catch (cause) {
    throw new AgentError("DATA_LOSS", `The stored ${what} of ${of} is not JSON.`, { details: { of, what }, cause });
  }
}
