import {
  type AbortResult,
  ListSnapshotsRequestSchema,
  parseWire,
  SessionIdSchema,
  type Snapshot,
  SnapshotIdSchema,
} from "@agents/schema/agent";
import { AgentError } from "@agents/schema/error";
import type { AgentApi, CallOptions, SessionIndex } from "@agents/schema/port";
import { parsePosition } from "@agents/schema/route";
import { followTurn } from "../turn/follow-turn.ts";
import { readStatus } from "../turn/summarize-turn.ts";
import type { TurnDesk } from "../turn/turn-desk.ts";
import { waitForTurn } from "../turn/wait-for-turn.ts";
import type { AgentCore } from "./agent-core.ts";
import { createSnapshotReader } from "./snapshot-reads.ts";

type Surface<Custom, Status> = Pick<
  AgentApi<Custom, Status>,
  "getSnapshot" | "getLatestSnapshot" | "listSnapshots" | "waitForSnapshot" | "abort" | "follow"
> & {
  verifySnapshot(snapshotId: string, options?: CallOptions): ReturnType<AgentApi["getSnapshot"]>;
  /** The state of a snapshot that this process has just made: from the store only if it is not held any more. */
  stateAfter(snapshotId: string, options?: CallOptions): Promise<Snapshot<Custom>["state"]>;
};

const DEFAULT_PAGE = 100;
const START = { epoch: 0, seq: 0 };

/** What an agent's snapshots can be asked. On a client-managed agent all of it is FAILED_PRECONDITION. */
export function createSnapshotSurface<Custom, Status>(core: AgentCore<Custom, Status>): Surface<Custom, Status> {
  const { spec, runtime, stored } = core;

  function deskFor(feature: string): TurnDesk {
    if (stored !== undefined) return stored.desk;
    throw new AgentError(
      "FAILED_PRECONDITION",
      `Cannot use ${feature} of agent '${spec.name}': it has no store, so the client carries the state.`,
    );
  }

  function part<Name extends "events" | "index">(feature: string, name: Name): NonNullable<TurnDesk["store"][Name]> {
    const { store } = deskFor(feature);
    const found = store[name];
    if (found !== undefined) return found;
    throw new AgentError(
      "FAILED_PRECONDITION",
      `Cannot use ${feature} of agent '${spec.name}': its store "${store.name}" has no part "${name}".`,
      { details: { part: name } },
    );
  }

  function readerFor(feature: string, { context = {} }: CallOptions = {}) {
    const desk = deskFor(feature);
    const caller = runtime.callerOf(context);
    return { desk, caller, reader: createSnapshotReader(core, desk, { caller, context }) };
  }

  return {
    async getSnapshot(given, options) {
      const { reader } = readerFor("getSnapshot", options);
      return reader.byId(checkedId("getSnapshot", given), options?.sessionId);
    },
    async getLatestSnapshot(given, options) {
      const { reader } = readerFor("getLatestSnapshot", options);
      return reader.latest(parseWire(SessionIdSchema, given, { what: "sessionId of getLatestSnapshot" }));
    },
    async stateAfter(snapshotId, options) {
      const { reader } = readerFor("chat", options);
      return (await reader.held(snapshotId)) ?? (await reader.byId(snapshotId)).state;
    },
    async verifySnapshot(given, options) {
      const { reader } = readerFor("verifySnapshot", options);
      return reader.verify(checkedId("verifySnapshot", given));
    },

    async listSnapshots(request, options) {
      const index: SessionIndex = part("listSnapshots", "index");
      const {
        sessionId,
        cursor,
        limit = DEFAULT_PAGE,
      } = parseWire(ListSnapshotsRequestSchema, request, {
        what: "request of listSnapshots",
      });
      const { caller, reader } = readerFor("listSnapshots", options);
      const page = await index.listTurns(caller, sessionId, { limit, ...(cursor === undefined ? {} : { cursor }) });
      const turns = page.items.filter(({ agent }) => agent === spec.name);
      if (turns.length === 0 && cursor === undefined)
        await refuseUnknown(index, { sessionId, caller, agent: spec.name });
      const snapshots = await Promise.all(turns.map((turn) => reader.summary(turn)));
      return { snapshots, ...(page.cursor === undefined ? {} : { cursor: page.cursor }) };
    },

    async waitForSnapshot(given, options = {}) {
      const { desk, caller, reader } = readerFor("waitForSnapshot", options);
      const snapshotId = checkedId("waitForSnapshot", given);
      const { timeoutMs, signal } = options;
      await reader.meta(snapshotId);
      await waitForTurn(desk, caller, {
        snapshotId,
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
        ...(signal === undefined ? {} : { signal }),
      });
      return reader.byId(snapshotId);
    },

    async abort(given, { context = {} } = {}): Promise<AbortResult> {
      const { store, closing, live } = deskFor("abort");
      const snapshotId = checkedId("abort", given);
      const caller = runtime.callerOf(context);
      const row = await store.turns.read(caller, { snapshotId }, "meta");
      if (row?.turn.agent !== spec.name) return { snapshotId };
      const stale = { outcome: closing.aborting, heads: closing.heads };
      const answer = await store.turns.requestAbort(caller, snapshotId, stale);
      if (answer === undefined) return { snapshotId };
      // It may run right here, and need not wait for a hint.
      if (answer.after.status === "aborting") live.find(caller, snapshotId)?.abort();
      return { snapshotId, previousStatus: readStatus(answer.before), status: readStatus(answer.after) };
    },

    follow(given, { context = {}, signal, after } = {}) {
      part("follow", "events");
      const snapshotId = checkedId("follow", given);
      const { desk, caller } = readerFor("follow", { context });
      const position = after === undefined ? START : parsePosition(after);
      return followOwn(desk, caller, {
        snapshotId,
        after: position,
        ...(signal === undefined ? {} : { signal }),
      }) as ReturnType<Surface<Custom, Status>["follow"]>;
    },
  };
}

/** Before it becomes a key, and part of a message. Throws INVALID_ARGUMENT for what no id can be. */
function checkedId(feature: string, given: string): string {
  return parseWire(SnapshotIdSchema, given, { what: `snapshotId of ${feature}` });
}

/** Rows of another agent do not exist for this one. */
async function* followOwn(...[desk, caller, options]: Parameters<typeof followTurn>) {
  const row = await desk.store.turns.read(caller, { snapshotId: options.snapshotId }, "meta");
  if (row?.turn.agent !== (desk as TurnDesk).rules.agent) {
    throw new AgentError("NOT_FOUND", `Turn ${options.snapshotId} is not there.`);
  }
  yield* followTurn(desk, caller, options);
}

async function refuseUnknown(
  index: SessionIndex,
  { sessionId, caller, agent }: { sessionId: string; caller: Parameters<SessionIndex["getSession"]>[0]; agent: string },
): Promise<void> {
  const session = await index.getSession(caller, sessionId);
  if (session?.agent === agent) return;
  throw new AgentError("NOT_FOUND", `Session ${sessionId} is not there.`, { details: { sessionId } });
}
