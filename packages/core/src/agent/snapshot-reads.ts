import type { Snapshot, SnapshotSummary, StoredStatus } from "@agents/schema/agent";
import { AgentError } from "@agents/schema/error";
import { EMPTY_MESSAGES, extendMessages, stateHash } from "@agents/schema/hash";
import type { Caller, ReadAt, StateChain, TurnMeta } from "@agents/schema/port";
import { type BoundTransform, bindTransform, shownStoredError } from "../invocation/client-transform.ts";
import type { StoredState } from "../snapshot/encode-state.ts";
import type { HeldState } from "../snapshot/state-cache.ts";
import { parentState } from "../turn/parent-state.ts";
import { summarizeTurn } from "../turn/summarize-turn.ts";
import type { TurnDesk } from "../turn/turn-desk.ts";
import type { AgentCore } from "./agent-core.ts";

export interface SnapshotReader<Custom> {
  /** Throws NOT_FOUND, and INVALID_ARGUMENT where the snapshot is of another session than the one given. */
  byId(snapshotId: string, sessionId?: string): Promise<Snapshot<Custom>>;
  /** The row alone. Throws NOT_FOUND. */
  meta(snapshotId: string): Promise<TurnMeta>;
  /** The newest turn of a session that is live or can be continued. Throws NOT_FOUND. */
  latest(sessionId: string): Promise<Snapshot<Custom>>;
  /** Reads the state and hashes it again. Throws DATA_LOSS where it is not what was stored. */
  verify(snapshotId: string): Promise<SnapshotSummary>;
  /** The state of a snapshot as it is shown, if this process still holds it: without a look at the store. */
  held(snapshotId: string): Promise<Snapshot<Custom>["state"]>;
  /** A row as it is shown, without its state. */
  summary(turn: TurnMeta): Promise<SnapshotSummary>;
}

const LIVE: readonly StoredStatus[] = ["pending", "aborting"];

export function createSnapshotReader<Custom, Status>(
  { spec }: AgentCore<Custom, Status>,
  desk: TurnDesk,
  { caller, context }: { caller: Caller; context: Parameters<typeof bindTransform>[1] },
): SnapshotReader<Custom> {
  const { store, cache, rules } = desk;
  const transform = bindTransform(spec.clientTransform, context);

  async function read(at: ReadAt, what: string): Promise<{ turn: TurnMeta; stored: StoredState<Custom> | undefined }> {
    const { scope } = caller;
    const held = "snapshotId" in at ? cache.get(scope, at.snapshotId) : cache.newestOf(scope, at.sessionId);
    const row = await store.turns.read(caller, at, { known: held === undefined ? [] : [held.snapshotId] });
    if (row === undefined || row.turn.agent !== rules.agent) throw notFound(what);
    return { turn: row.turn, stored: hasState(row.turn) ? rebuild(row, held) : undefined };
  }

  async function show(turn: TurnMeta, stored: StoredState<Custom> | undefined): Promise<Snapshot<Custom>> {
    const summary = await showSummary(transform, turn);
    const state = await showState(stored);
    return state === undefined ? summary : { ...summary, state };
  }

  async function showState(stored: StoredState<Custom> | undefined): Promise<Snapshot<Custom>["state"]> {
    const state = stored?.state.value as Snapshot<Custom>["state"];
    return state === undefined || transform.state === undefined ? state : transform.state(state);
  }

  return {
    async byId(snapshotId, sessionId) {
      const { turn, stored } = await read({ snapshotId }, `Snapshot ${snapshotId}`);
      if (sessionId !== undefined && turn.sessionId !== sessionId) {
        throw new AgentError("INVALID_ARGUMENT", `Snapshot ${snapshotId} does not belong to session ${sessionId}.`, {
          details: { snapshotId, sessionId },
        });
      }
      return show(turn, stored);
    },
    async meta(snapshotId) {
      const row = await store.turns.read(caller, { snapshotId }, "meta");
      if (row === undefined || row.turn.agent !== rules.agent) throw notFound(`Snapshot ${snapshotId}`);
      return row.turn;
    },
    async latest(sessionId) {
      const at = { sessionId, among: [...rules.resumable, ...LIVE] };
      const { turn, stored } = await read(at, `A snapshot of session ${sessionId}`);
      return show(turn, stored);
    },
    async verify(snapshotId) {
      const row = await store.turns.read(caller, { snapshotId }, { known: [] });
      if (row === undefined || row.turn.agent !== rules.agent) throw notFound(`Snapshot ${snapshotId}`);
      const stored = rebuild<Custom>(row, undefined);
      if (row.turn.state !== undefined) compareHash(snapshotId, row.turn.state.stateHash, stored);
      return showSummary(transform, row.turn);
    },
    held: async (snapshotId) =>
      showState((cache.get(caller.scope, snapshotId) as HeldState<Custom> | undefined)?.stored),
    summary: (turn) => showSummary(transform, turn),
  };
}

function rebuild<Custom>(
  { turn, chain }: { readonly turn: TurnMeta; readonly chain?: StateChain },
  held: HeldState | undefined,
): StoredState<Custom> | undefined {
  return chain && parentState<Custom>({ held, turn, chain });
}

/** A turn in flight has none to show, and one that the policy declined kept none: its parent's would be a wrong one. */
function hasState({ status, state }: TurnMeta): boolean {
  return state !== undefined || status === "failed" || status === "aborted";
}

async function showSummary<Custom, Status>(
  transform: BoundTransform<Custom, Status>,
  turn: TurnMeta,
): Promise<SnapshotSummary> {
  const summary = summarizeTurn(turn);
  return summary.error === undefined
    ? summary
    : { ...summary, error: await shownStoredError(transform, summary.error) };
}

function compareHash<Custom>(snapshotId: string, expected: string, stored: StoredState<Custom> | undefined): void {
  const actual =
    stored &&
    stateHash({
      messages: extendMessages(EMPTY_MESSAGES, stored.state.messages),
      custom: stored.state.custom,
      artifacts: stored.state.artifacts,
    });
  if (actual === expected) return;
  throw new AgentError(
    "DATA_LOSS",
    `The stored state of snapshot ${snapshotId} is not what was saved: its hash is ${actual}, and the row says ${expected}.`,
    { details: { snapshotId, expected, actual } },
  );
}

function notFound(what: string): AgentError {
  return new AgentError("NOT_FOUND", `${what} is not there.`);
}
