import { applyPatch, type PatchOperation } from "@agents/schema/patch";
import type { SessionRecord, StateContent, StateText, TurnRecord } from "@agents/schema/port";
import { present } from "./store-kit.ts";

/** An exported session as it is imported: its states rebuilt, and fails the test where one cannot be. */
export function importable(record: SessionRecord<StateText>): SessionRecord<StateContent> {
  const states = statesOf(record);
  const turns = record.turns.map(({ content, ...turn }): TurnRecord<StateContent> => {
    if (content === undefined) return turn;
    const value = states.get(turn.turn.snapshotId);
    const figures = present(turn.turn.state, `figures of the state of ${turn.turn.snapshotId}`);
    const operations = content.kind === "patch" ? { operations: JSON.parse(content.json) as PatchOperation[] } : {};
    return { ...turn, content: { ...content, ...figures, ...operations, full: () => JSON.stringify(value), value } };
  });
  return { ...record, turns };
}

/** By snapshot, for rows that have one of their own. */
export function statesOf({ turns }: SessionRecord<StateText>): ReadonlyMap<string, unknown> {
  const rows = new Map(turns.map((each) => [each.turn.snapshotId, each]));
  const states = new Map<string, unknown>();
  for (const { turn, content } of turns) {
    if (content === undefined) continue;
    const parsed: unknown = JSON.parse(content.json);
    if (content.kind === "full") {
      states.set(turn.snapshotId, parsed);
      continue;
    }
    let base = rows.get(turn.parentId ?? "");
    while (base !== undefined && base.content === undefined) base = rows.get(base.turn.parentId ?? "");
    const before = present(base, `what the patch of turn ${turn.ordinal} changes`);
    states.set(turn.snapshotId, applyPatch(states.get(before.turn.snapshotId), parsed as PatchOperation[]));
  }
  return states;
}
