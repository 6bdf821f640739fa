import { randomUUID } from "node:crypto";
import { AgentError } from "@agents/schema/error";
import { snapshotRoute } from "@agents/schema/hash";
import type { Caller, SessionIndex, SessionRecord, StateContent, StoredEvent, TurnRecord } from "@agents/schema/port";
import type { StoreContext } from "../context/store-context.ts";
import type { SessionAddress } from "../record/key-space.ts";
import { figuresArg, optional } from "../record/script-args.ts";
import { STATUS_LETTER } from "../record/status-letter.ts";
import { STATE_LETTER } from "./session-records.ts";

type Imported = TurnRecord<StateContent>;

/** About how much one script writes, in characters and in texts. */
const CHARACTERS_PER_WRITE = 1_000_000;
const TEXTS_PER_WRITE = 4_000;
/** An import that its process never ends leaves its rows for so long. */
const STAGED_MS = 600_000;

/**
 * Writes the rows to a key that nobody reads, part by part, and makes them the session in one step: all or nothing, and
 * no script is long.
 */
export async function importSession(
  store: StoreContext,
  caller: Caller,
  record: SessionRecord<StateContent>,
): ReturnType<SessionIndex["importSession"]> {
  const { sessionId } = record.session;
  const address = store.keys.ofSession(caller.scope, sessionId);
  refuseUnfit(record, address);
  const staged = `${address.key}:import:${randomUUID()}`;
  const owner = optional(caller.owner ?? record.session.owner);
  for (const args of writesOf(record.turns)) {
    const head = ["-", sessionId, address.tag, owner, String(STAGED_MS)];
    await store.run("importTurns", [staged, address.index], [...head, ...args]);
  }
  const args = sessionArgs(record, { tag: address.tag, owner });
  const [type] = await store.run("importSession", [address.key, address.index, staged], args);
  if (type === "unstaged") throw new AgentError("UNAVAILABLE", "The import took too long and expired; repeat it.");
  return { type: type as "imported" | "conflict" };
}

function refuseUnfit({ turns, session }: SessionRecord<StateContent>, { route }: SessionAddress): void {
  for (const { turn } of turns) {
    const { snapshotId, status } = turn;
    if (status === "pending" || status === "aborting") {
      throw new AgentError(
        "INVALID_ARGUMENT",
        `Snapshot ${snapshotId} is ${status}; only final turns can be imported.`,
      );
    }
    if (snapshotRoute(snapshotId) === route) continue;
    throw new AgentError(
      "INVALID_ARGUMENT",
      `Snapshot ${JSON.stringify(snapshotId.slice(0, 160))} does not have the route ${route} of session ${JSON.stringify(session.sessionId.slice(0, 80))}, by which Redis would find it.`,
    );
  }
}

/** Whole rows, as many as go into one script. */
function* writesOf(turns: readonly Imported[]): Generator<string[]> {
  const ordinals = new Map(turns.map(({ turn }) => [turn.snapshotId, turn.ordinal]));
  let args: string[] = [];
  let characters = 0;
  for (const record of turns) {
    const row = turnArgs(record, ordinals);
    const size = row.reduce((sum, text) => sum + text.length, 0);
    if (args.length > 0 && (characters + size > CHARACTERS_PER_WRITE || args.length + row.length > TEXTS_PER_WRITE)) {
      yield args;
      args = [];
      characters = 0;
    }
    for (const text of row) args.push(text);
    characters += size;
  }
  if (args.length > 0) yield args;
}

function turnArgs(record: Imported, ordinals: ReadonlyMap<string, number>): string[] {
  const { turn, content, events } = record;
  const parentOrdinal = turn.parentId === undefined ? undefined : ordinals.get(turn.parentId);
  const marks = marksOf(events);
  return [
    turn.snapshotId,
    String(turn.ordinal),
    turn.agent,
    optional(turn.parentId),
    // A parent that was pruned is named, and is nowhere.
    String(parentOrdinal ?? 0),
    optional(record.trunkId),
    optional(record.fingerprint),
    STATUS_LETTER[turn.status],
    String(turn.version),
    String(turn.epoch),
    String(turn.lastSeq),
    String(turn.createdAt),
    String(turn.updatedAt),
    optional(turn.result),
    record.resumable ? "1" : "0",
    record.waiting ? "1" : "0",
    ...(content === undefined ? ["-", "", ""] : [content.kind[0] as string, figuresArg(content), content.json]),
    String(marks.length),
    ...marks,
    String(events.length),
    ...events.map(({ json }) => json),
  ];
}

/** Pairs of an epoch and the last sequence number under it. */
function marksOf(events: readonly StoredEvent[]): string[] {
  const marks: string[] = [];
  for (const [index, { epoch, seq }] of events.entries()) {
    if (events[index + 1]?.epoch !== epoch) marks.push(String(epoch), String(seq));
  }
  return marks;
}

function sessionArgs(
  { session, turns }: SessionRecord<StateContent>,
  { tag, owner }: { readonly tag: string; readonly owner: string },
): string[] {
  const ordinals = turns.map(({ turn }) => turn.ordinal);
  const head = turns.find(({ turn }) => turn.snapshotId === session.headId);
  const newest = (status: Imported["turn"]["status"]) =>
    String(turns.findLast(({ turn }) => turn.status === status)?.turn.ordinal ?? 0);
  return [
    "-",
    session.sessionId,
    tag,
    owner,
    session.agent,
    optional(session.fingerprint),
    optional(session.metadata),
    STATE_LETTER[session.state],
    optional(session.headId),
    String(head?.turn.ordinal ?? 0),
    session.forked ? "1" : "0",
    String(session.createdAt),
    String(session.updatedAt),
    String(ordinals[0] ?? 1),
    String(ordinals.at(-1) ?? 0),
    newest("completed"),
    newest("failed"),
    newest("aborted"),
    String(turns.filter(({ waiting }) => waiting).length),
    ...turns.map(({ turn }) => turn.snapshotId),
  ];
}
