import type { StoredEvent, TurnMeta } from "@agents/schema/port";
import { expect } from "vitest";
import { loadState } from "../../store/kit/load-state.ts";
import { fullContent, patchContent, stateAfter, type TestContent } from "../../store/kit/state-content.ts";
import { present, type StoreKit } from "../../store/kit/store-kit.ts";
import { batch, START } from "../../store/kit/test-outcome.ts";

/** A turn whose settle was answered. */
export interface AnsweredTurn {
  readonly turn: TurnMeta;
  readonly content: TestContent;
  /** As JSON texts. */
  readonly events: readonly string[];
}

/** Everything a reader can see of a turn. */
export interface StoredTurn {
  readonly turn: TurnMeta;
  /** What a child of it would start from. */
  readonly state: unknown;
  readonly events: readonly StoredEvent[];
}

interface Telling {
  readonly sessionId: string;
  readonly text: string;
  readonly after?: AnsweredTurn;
}

/** Runs a turn with events and a state to its end. */
export async function answeredTurn(kit: StoreKit, { sessionId, text, after }: Telling): Promise<AnsweredTurn> {
  const begun = await kit.begun({ sessionId, events: batch(1, `${text} begins`) });
  const state = stateAfter(after?.content.value, sessionId, text);
  const content = after === undefined ? fullContent(state) : patchContent(state, after.content);
  const last = batch(begun.turn.lastSeq + 1, `${text} ends`);
  const settled = await kit.settle(begun.lease, { status: "completed", content, events: last });
  expect(settled.ok, "settle").toBe(true);
  const events = kit.store.events === undefined ? [] : [...batch(1, `${text} begins`).events, ...last.events];
  return { turn: present(settled.turn, "the settled row"), content, events };
}

export async function readStored(kit: StoreKit, snapshotId: string): Promise<StoredTurn | undefined> {
  const read = await kit.store.turns.read(kit.caller, { snapshotId }, { known: [] });
  if (read === undefined) return undefined;
  const page = await kit.store.events?.readEvents(kit.caller, snapshotId, { after: START, limit: 1_000 });
  return { turn: read.turn, state: loadState(present(read.chain, "chain")), events: page?.events ?? [] };
}

/** That what was answered is there, whole. */
export async function expectStored(kit: StoreKit, turns: readonly AnsweredTurn[]): Promise<void> {
  for (const { turn, content, events } of turns) {
    const stored = present(await readStored(kit, turn.snapshotId), `the answered turn ${turn.ordinal}`);
    expect(stored.turn, `row of the answered turn ${turn.ordinal}`).toEqual(turn);
    expect(stored.state, `state of the answered turn ${turn.ordinal}`).toEqual(content.value);
    expect(textsOf(stored.events), `events of the answered turn ${turn.ordinal}`).toEqual(events);
  }
}

export function textsOf(events: readonly StoredEvent[]): string[] {
  events.forEach(({ seq }, index) => {
    expect(seq, "sequence numbers without gaps").toBe(index + 1);
  });
  return events.map(({ json }) => json);
}

/** That rows of the session have ordinals of their own, and that none is there that nobody asked for. */
export async function expectRows(kit: StoreKit, sessionId: string, expected: readonly string[]): Promise<void> {
  if (kit.store.index === undefined) return;
  const { items } = await kit.store.index.listTurns(kit.caller, sessionId, { limit: 1_000 });
  expect(items.map(({ snapshotId }) => snapshotId).toReversed()).toEqual(expected);
  const ordinals = items.map(({ ordinal }) => ordinal).toReversed();
  expect(ordinals, "ordinals").toEqual([...new Set(ordinals)].toSorted((a, b) => a - b));
}
