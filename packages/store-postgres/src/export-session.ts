import type { Caller, SessionRecord, StateText, StoredEvent, TurnRecord } from "@agents/schema/port";
import type { Row } from "./database/statement.ts";
import { eventsOf } from "./event-part.ts";
import type { PostgresContext } from "./postgres-context.ts";
import { readSessionJson } from "./row/session-json.ts";
import { readTurnText } from "./row/turn-text.ts";
import { decodeText, encodeText } from "./text/text.ts";

export async function exportSession(
  context: PostgresContext,
  caller: Caller,
  sessionId: string,
): Promise<SessionRecord<StateText> | undefined> {
  const values = [...context.admit(caller), encodeText(sessionId)];
  const [first, ...rows] = await context.run(context.statements.exportSession, values);
  if (first === undefined) return undefined;
  const [, json, fingerprint, forked] = first;
  const { activeId: _, ...session } = readSessionJson(json);
  const logs = new Map<string, StoredEvent[]>();
  for (const [what, id, ...batch] of rows) {
    if (what !== "batch") continue;
    const turnId = decodeText(id ?? "");
    const log = logs.get(turnId) ?? [];
    logs.set(turnId, log);
    log.push(...eventsOf([what, ...batch]));
  }
  return {
    session: { ...session, ...named("fingerprint", fingerprint), forked: forked === "true" },
    turns: rows.filter(([what]) => what === "turn").map((row) => turnRecord(row, logs)),
  };
}

/** What is kept of a row beside its metadata. */
interface Kept {
  readonly fingerprint: string | null;
  readonly trunkId: string | null;
  readonly resumable: boolean;
  readonly kind: StateText["kind"] | null;
  readonly waiting: boolean;
}

function turnRecord(
  [, json, input, content, keptJson]: Row,
  logs: ReadonlyMap<string, readonly StoredEvent[]>,
): TurnRecord<StateText> {
  const turn = readTurnText(json);
  const kept = JSON.parse(keptJson ?? "") as Kept;
  // A live row shows no state: what it has saved is for claim alone.
  const hasState = turn.state !== undefined && kept.kind !== null;
  return {
    turn,
    ...named("input", input),
    ...named("fingerprint", kept.fingerprint),
    ...named("trunkId", kept.trunkId),
    resumable: kept.resumable,
    waiting: kept.waiting,
    ...(hasState ? { content: { kind: kept.kind, json: decodeText(content ?? "") } } : {}),
    events: logs.get(turn.snapshotId) ?? [],
  } as TurnRecord<StateText>;
}

function named(name: string, stored: string | null | undefined): object {
  return typeof stored === "string" ? { [name]: decodeText(stored) } : {};
}
