import { AgentError } from "@agents/schema/error";
import type { Caller, SessionRecord, StateText, TurnRecord } from "@agents/schema/port";
import type { StoreContext } from "../context/store-context.ts";
import { ownerArg } from "../record/script-args.ts";
import { type Reply, toList, toSessionMeta, toTurnMeta } from "../record/script-reply.ts";
import { toEvents } from "../turn/event-log.ts";

export type ExportedSession = SessionRecord<StateText>;

/** Rows and events in one read: a long session does not keep the server from others. */
const FIELDS_PER_READ = 5_000;
const ATTEMPTS = 20;

/**
 * In several reads, which count when the session stood still from the first to the last. One that changes all the time
 * rejects with UNAVAILABLE.
 */
export async function exportSession(
  store: StoreContext,
  caller: Caller,
  sessionId: string,
): Promise<ExportedSession | undefined> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const record = await readWhole(store, caller, sessionId);
    if (record !== "changed") return record;
  }
  throw new AgentError(
    "UNAVAILABLE",
    `Session ${JSON.stringify(sessionId.slice(0, 80))} changes faster than it can be read; export it when it is quiet.`,
  );
}

async function readWhole(
  store: StoreContext,
  caller: Caller,
  sessionId: string,
): Promise<ExportedSession | "changed" | undefined> {
  const { key, index } = store.keys.ofSession(caller.scope, sessionId);
  const turns: TurnRecord<StateText>[] = [];
  let changes: Reply | undefined;
  for (let first = 1; ; ) {
    const args = [ownerArg(caller), sessionId, String(first), String(FIELDS_PER_READ)];
    const reply = await store.run("exportTurns", [key, index], args);
    const [type, meta, fingerprint, forked, found, next, rows] = reply;
    if (type === "unknown") return undefined;
    if (changes !== undefined && found !== changes) return "changed";
    changes = found;
    for (const row of toList(rows)) turns.push(toTurnRecord(toList(row)));
    if (next !== 0) {
      first = next as number;
      continue;
    }
    const { activeId: _, ...session } = toSessionMeta(meta);
    return {
      session: { ...session, forked: forked === 1, ...(typeof fingerprint === "string" && { fingerprint }) },
      turns,
    };
  }
}

function toTurnRecord(fields: readonly Reply[]): TurnRecord<StateText> {
  const [meta, input, fingerprint, trunkId, resumable, waiting, kind, json, marks, events] = fields;
  return {
    turn: toTurnMeta(meta),
    ...(typeof input === "string" && { input }),
    ...(typeof fingerprint === "string" && { fingerprint }),
    ...(typeof trunkId === "string" && { trunkId }),
    resumable: resumable === 1,
    waiting: waiting === 1,
    ...(typeof json === "string" && { content: { kind: kind === "f" ? "full" : "patch", json } }),
    events: toEvents(0, marks, events),
  };
}
