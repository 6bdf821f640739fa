import { setTimeout } from "node:timers/promises";
import { makeSnapshotId, sessionRoute } from "@agents/schema/hash";
import type { BeginResult, Caller, EventBatch, Store } from "@agents/schema/port";
import { loadState } from "../store/kit/load-state.ts";
import { fullContent, patchContent, stateAfter, type TestContent, type TestState } from "../store/kit/state-content.ts";

export interface WriteTask {
  readonly caller: Caller;
  readonly sessionId: string;
  /** One writer each, all at once: it sends until it is heard, and adds its text to the state it is given. */
  readonly texts: readonly string[];
}

/** What the writers were told. */
export interface WriteReport {
  readonly turns: readonly { readonly text: string; readonly snapshotId: string; readonly ordinal: number }[];
  /** How often one was told that the session is busy. */
  readonly busy: number;
}

type Begun = Extract<BeginResult, { type: "begun" }>;

const NO_EVENTS: EventBatch = { firstSeq: 1, events: [] };
/** Longer than any run takes: no writer may take another's turn for abandoned. */
const LEASE_MS = 3_600_000;

/** Runs in the process that has the store, so that writers meet in the store and not in what drives them. */
export async function writeTurns(store: Store, { caller, sessionId, texts }: WriteTask): Promise<WriteReport> {
  const each = await Promise.all(texts.map((text) => writeTurn(store, { caller, sessionId, text })));
  return { turns: each.map(({ turn }) => turn), busy: each.reduce((sum, { busy }) => sum + busy, 0) };
}

interface Writing {
  readonly caller: Caller;
  readonly sessionId: string;
  readonly text: string;
}

async function writeTurn(
  store: Store,
  writing: Writing,
): Promise<{ turn: WriteReport["turns"][number]; busy: number }> {
  for (let busy = 0; ; busy++) {
    const begun = await begin(store, writing);
    if (begun === undefined) {
      // Each at its own pace, or the same ones meet again; and not so fast that asking is all that the machine does.
      await setTimeout(5 + Math.random() * 60);
      continue;
    }
    await settle(store, writing, begun);
    const { snapshotId, ordinal } = begun.turn;
    return { turn: { text: writing.text, snapshotId, ordinal }, busy };
  }
}

async function begin(store: Store, { caller, sessionId, text }: Writing): Promise<Begun | undefined> {
  const snapshotId = makeSnapshotId(sessionRoute(sessionId), crypto.randomUUID());
  const closing = { result: "{}", events: [] };
  const result = await store.turns.begin(caller, {
    snapshotId,
    agent: "agent",
    from: { sessionId, create: true, ifActive: "reject", ifForked: "reject" },
    resumable: ["completed"],
    writer: snapshotId,
    input: JSON.stringify({ text }),
    leaseMs: LEASE_MS,
    known: [],
    events: NO_EVENTS,
    lost: { pending: { ...closing, status: "failed" }, aborting: { ...closing, status: "aborted" }, heads: [] },
  });
  if (result.type === "begun") return result;
  if (result.type === "busy") return undefined;
  throw new Error(`A send to session ${sessionId} was answered ${result.type}; it takes begun or busy.`);
}

async function settle(store: Store, { caller, sessionId, text }: Writing, begun: Begun): Promise<void> {
  const events = { firstSeq: begun.turn.lastSeq + 1, events: [] };
  const settled = await store.turns.settle(caller, begun.lease, {
    pending: { status: "completed", result: "{}", content: contentAfter(begun, sessionId, text), events },
    aborting: { status: "aborted", result: "{}", events },
    heads: ["completed"],
  });
  if (!settled.ok) throw new Error(`The settle of ${begun.turn.snapshotId} was refused although its lease holds.`);
}

/** A patch against what the store said the state is; a whole state now and then, as the runtime does. */
function contentAfter({ chain, parent, turn }: Begun, sessionId: string, text: string): TestContent {
  const before = loadState(chain) as TestState | undefined;
  const state = stateAfter(before, sessionId, text);
  if (before === undefined || turn.ordinal % 8 === 0) return fullContent(state);
  const figures = parent?.state ?? { loadBytes: 0, loadRows: 0 };
  const { loadBytes, loadRows } = figures;
  return patchContent(state, { ...fullContent(before), loadBytes, loadRows });
}
