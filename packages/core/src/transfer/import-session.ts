import { AgentError } from "@agents/schema/error";
import type { Caller, SessionRecord, StateContent, Store, StoredEvent, TurnRecord } from "@agents/schema/port";
import type { DocumentTurn, SessionDocument } from "@agents/schema/wire";
import { rebuildStates } from "./rebuild-states.ts";
import { readSessionDocument } from "./session-document.ts";
import { transferIndex } from "./transfer-index.ts";

export interface ImportSessionOptions {
  /**
   * For whom. The session belongs to `owner` if it is given, else to the owner that the document names.
   *
   * @default the scope of a deployment without tenants
   */
  readonly caller?: Caller;
}

export interface ImportReport {
  readonly sessionId: string;
  readonly turns: number;
  readonly events: number;
}

/**
 * Writes a session that `exportSession` gave, to any store: all of it or nothing. Rejects with INVALID_ARGUMENT and a path
 * for what is no such document, FAILED_PRECONDITION for one of a newer version, DATA_LOSS for a state that is not what its
 * hash says, and ALREADY_EXISTS where the session, or one of its turns, is there already.
 */
export async function importSession(
  store: Store,
  document: unknown,
  { caller = { scope: "" } }: ImportSessionOptions = {},
): Promise<ImportReport> {
  const index = transferIndex(store, "To import a session");
  const checked = await readSessionDocument(document);
  const record = recordOf(checked);
  const { sessionId } = checked.session;
  const answer = await index.importSession(caller, record);
  if (answer.type === "conflict") {
    throw new AgentError(
      "ALREADY_EXISTS",
      `Session ${JSON.stringify(sessionId)}, or one of its turns, is in the ${store.name} store already. Delete it there first, or import it under another scope.`,
      { details: { sessionId } },
    );
  }
  const events = record.turns.reduce((sum, turn) => sum + turn.events.length, 0);
  return { sessionId, turns: record.turns.length, events };
}

function recordOf(document: SessionDocument): SessionRecord<StateContent> {
  const contents = rebuildStates(document);
  const { metadata, owner, headId, fingerprint, ...session } = document.session;
  return {
    session: {
      ...session,
      ...(metadata === undefined ? {} : { metadata: JSON.stringify(metadata) }),
      ...(owner === undefined ? {} : { owner }),
      ...(headId === undefined ? {} : { headId }),
      ...(fingerprint === undefined ? {} : { fingerprint }),
    },
    turns: document.turns.map((turn) => turnOf(turn, document.session, contents.get(turn.snapshotId))),
  };
}

function turnOf(
  turn: DocumentTurn,
  { sessionId, owner }: SessionDocument["session"],
  content: StateContent | undefined,
): TurnRecord<StateContent> {
  const { snapshotId, agent, parentId, ordinal, status, epoch, version, lastSeq, createdAt, updatedAt, result } = turn;
  const { input, fingerprint, trunkId, resumable, waiting, events } = turn;
  return {
    turn: {
      ...{ snapshotId, sessionId, agent, ordinal, status, stale: false },
      ...{ version, epoch, lastSeq, createdAt, updatedAt },
      ...(parentId === undefined ? {} : { parentId }),
      ...(owner === undefined ? {} : { owner }),
      ...(result === undefined ? {} : { result: JSON.stringify(result) }),
      ...(content === undefined ? {} : { state: figuresOf(content) }),
    },
    ...(input === undefined ? {} : { input: JSON.stringify(input) }),
    ...(fingerprint === undefined ? {} : { fingerprint }),
    ...(trunkId === undefined ? {} : { trunkId }),
    resumable,
    waiting,
    ...(content === undefined ? {} : { content }),
    events: events.map(
      ({ event, epoch: by }): StoredEvent => ({ seq: event.seq, epoch: by, json: JSON.stringify(event) }),
    ),
  };
}

function figuresOf({ stateHash, messagesDigest, stateBytes, loadBytes, loadRows }: StateContent) {
  return { stateHash, messagesDigest, stateBytes, loadBytes, loadRows };
}
