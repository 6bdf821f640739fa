import { type Message, MessageSchema, parseWire } from "@agents/schema/agent";
import { AgentError } from "@agents/schema/error";
import { sessionRoute, snapshotRoute } from "@agents/schema/hash";
import { defineRecordFormat } from "@agents/schema/record";
import type { DocumentTurn, SessionDocument } from "@agents/schema/wire";

export const DOCUMENT_FORMAT = "agents.session";

const FORMAT = defineRecordFormat({ what: "The session document", version: 1, migrations: {} });

/**
 * A document that came from outside, checked. Throws INVALID_ARGUMENT with a path where it is none, or contradicts itself;
 * FAILED_PRECONDITION where a newer version wrote it.
 */
export async function readSessionDocument(value: unknown): Promise<SessionDocument> {
  const { format, version } = (typeof value === "object" && value !== null ? value : {}) as Partial<SessionDocument>;
  if (format !== DOCUMENT_FORMAT) {
    throw new AgentError(
      "INVALID_ARGUMENT",
      `This is no session document: its "format" has to be ${JSON.stringify(DOCUMENT_FORMAT)}.`,
    );
  }
  const migrated = FORMAT.read(version, value, `"version"`);
  // The contracts of resources take a while to load, and few processes ever import a session.
  const { SessionDocumentSchema } = await import("@agents/schema/wire");
  const document = parseWire(SessionDocumentSchema, migrated, { what: "session document" });
  refuseContradictions(document);
  return document;
}

/** Refuses a message that a patch made and that is none: the schema has only seen the patch. */
export function checkMessage(message: unknown, at: string): Message {
  return parseWire(MessageSchema, message, {
    what: `session document: the patch at ${at} makes a message that is none`,
  });
}

function refuseContradictions({ session, turns }: SessionDocument): void {
  const seen = new Map<string, DocumentTurn>();
  let last = 0;
  turns.forEach((turn, index) => {
    const at = `/turns/${index}`;
    const { snapshotId, ordinal, parentId } = turn;
    if (seen.has(snapshotId)) throw invalid(`${at}/snapshotId`, `${snapshotId} is there twice`);
    // Stores find a snapshot by its id alone: this one would be looked for elsewhere.
    if (snapshotRoute(snapshotId) !== sessionRoute(session.sessionId)) {
      throw invalid(`${at}/snapshotId`, `${snapshotId} is no snapshot of session ${session.sessionId}`);
    }
    if (ordinal <= last) throw invalid(`${at}/ordinal`, `${ordinal} does not follow ${last}`);
    if (parentId === snapshotId) throw invalid(`${at}/parentId`, "a turn is not its own parent");
    refuseBadEvents(turn, at);
    seen.set(snapshotId, turn);
    last = ordinal;
  });
  turns.forEach(({ parentId, ordinal }, index) => {
    const parent = parentId === undefined ? undefined : seen.get(parentId);
    if (parent !== undefined && parent.ordinal >= ordinal) {
      throw invalid(`/turns/${index}/parentId`, `${parentId} began later than its child`);
    }
  });
  const head = session.headId === undefined ? undefined : seen.get(session.headId);
  if (session.headId !== undefined && head?.resumable !== true) {
    throw invalid("/session/headId", `${session.headId} is no turn of the document that can be continued`);
  }
}

function refuseBadEvents({ snapshotId, events, epoch, lastSeq }: DocumentTurn, at: string): void {
  let writer = 1;
  events.forEach(({ event, epoch: by }, index) => {
    const here = `${at}/events/${index}`;
    if (event.seq !== index + 1) throw invalid(`${here}/event/seq`, `${event.seq} is not ${index + 1}`);
    if (event.turnId !== snapshotId) throw invalid(`${here}/event/turnId`, `${event.turnId} is another turn`);
    if (by < writer || by > epoch) throw invalid(`${here}/epoch`, `${by} is not between ${writer} and ${epoch}`);
    writer = by;
  });
  if (events.length > 0 && events.length !== lastSeq) {
    throw invalid(`${at}/lastSeq`, `${lastSeq} is not the number of the last event, ${events.length}`);
  }
}

export function invalid(path: string, message: string, cause?: unknown): AgentError {
  return new AgentError("INVALID_ARGUMENT", `Invalid session document at ${path}: ${message}.`, {
    details: { issues: [{ path, message }] },
    ...(cause === undefined ? {} : { cause }),
  });
}
