import type { AgentInput, AgentOutput, Snapshot } from "@agents/schema/agent";
import type { AgentChat, CallOptions, TurnOptions } from "@agents/schema/port";
import { CustomTracker } from "../state/custom-tracker.ts";
import type { Entry } from "../stream/entry.ts";
import type { RemoteCalls } from "../stream/remote-calls.ts";
import type { RemoteStream } from "../stream/remote-stream.ts";
import { startTurn } from "../stream/start-turn.ts";
import { textInput } from "../stream/text-input.ts";
import { type Account, Conversation, type Expected } from "./conversation.ts";
import { newSessionId } from "./new-session-id.ts";

/**
 * A conversation with an agent of a server. `messages` shows what was sent at once, and takes it back when its turn fails;
 * `custom` follows the patches while a turn streams.
 */
export interface RemoteChat<Custom = unknown, Status = unknown> extends AgentChat<Custom, Status> {
  send(input: string | AgentInput, options?: CallOptions): RemoteStream<Custom, Status>;
  branch(snapshotId: string): RemoteChat<Custom, Status>;
}

export interface ChatCalls<Custom> extends RemoteCalls<Custom> {
  /** The client carries the state. */
  readonly clientManaged: boolean;
}

export function createChat<Custom, Status>(
  calls: ChatCalls<Custom>,
  options: TurnOptions<Custom>,
): RemoteChat<Custom, Status> {
  const { snapshots, clientManaged } = calls;
  const { context, signal } = options;
  const branched = options.snapshotId !== undefined;
  let { sessionId, snapshotId, state } = options;
  // Known from the start: several sends at once are sends to one session.
  if (!clientManaged && sessionId === undefined && !branched) sessionId = newSessionId();
  const conversation = new Conversation(state?.messages ?? []);
  const custom = new CustomTracker(state?.custom);
  /** What `custom` was when the last turn ended. */
  let settled = state?.custom;

  function remember(next: NonNullable<Snapshot<Custom>["state"]>, account: Account): void {
    conversation.confirm(next.messages, account);
    settled = next.custom;
    custom.rebase(settled);
  }

  async function onOutput(output: AgentOutput<Custom>, expected: Expected): Promise<void> {
    sessionId = output.sessionId;
    snapshotId = output.snapshotId ?? snapshotId;
    if (output.state !== undefined) {
      state = output.state;
      return remember(output.state, { expected });
    }
    if (output.finishReason === "detached") return conversation.keep(expected, undefined);
    // Under no signal: the turn is over, and what ended it must not end the look at what it left.
    // A turn that is there but cannot be shown does not undo its output.
    const snapshot =
      output.snapshotId === undefined
        ? undefined
        : await snapshots.getSnapshot(output.snapshotId, context && { context }).catch(() => undefined);
    if (snapshot?.state !== undefined) return remember(snapshot.state, { expected, ordinal: snapshot.ordinal });
    if (output.finishReason === "failed" || output.finishReason === "aborted") return undo(expected);
    conversation.keep(expected, output.message);
  }

  function undo(expected: Expected): void {
    conversation.drop(expected);
    custom.rebase(settled);
  }

  function startPoint(): TurnOptions<Custom> {
    if (clientManaged) return state === undefined ? {} : { state };
    if (branched && snapshotId !== undefined) return { snapshotId };
    return { sessionId };
  }

  return {
    get sessionId() {
      return sessionId;
    },
    get snapshotId() {
      return snapshotId;
    },
    get messages() {
      return conversation.messages;
    },
    get custom() {
      return custom.value;
    },
    send(given, call = {}) {
      const input = textInput(given);
      const expected = conversation.expect(input.message);
      return startTurn<Custom, Status>(calls, {
        input,
        options: { ...startPoint(), ...(context && { context }), ...(signal && { signal }), ...call },
        hooks: {
          onEntry: (entry: Entry<Status>) => "chunk" in entry && custom.see(entry.chunk),
          onOutput: (output) => onOutput(output, expected),
          onFailure: () => undo(expected),
        },
      });
    },
    async refresh(call = {}) {
      const one = { ...(context && { context }), ...call };
      const newest = branched
        ? await snapshots.getSnapshot(snapshotId as string, one)
        : await snapshots.getLatestSnapshot(sessionId as string, one);
      // A turn that runs has no state yet; the one it started from has what was said before.
      const { parentId } = newest;
      const live = newest.status === "pending" || newest.status === "aborting";
      const shown = live && parentId !== undefined ? await snapshots.getSnapshot(parentId, one) : newest;
      sessionId = newest.sessionId;
      snapshotId = newest.snapshotId;
      if (shown.state !== undefined) remember(shown.state, { ordinal: shown.ordinal, live });
    },
    branch: (from) => createChat(calls, { ...(context && { context }), ...(signal && { signal }), snapshotId: from }),
  };
}
