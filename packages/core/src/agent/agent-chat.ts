import type { AgentInput, AgentOutput, Message, Snapshot } from "@agents/schema/agent";
import type { AgentChat, AgentStream, CallOptions, TurnOptions } from "@agents/schema/port";
import type { AgentCore } from "./agent-core.ts";
import { agentStream } from "./agent-stream.ts";
import { startInvocation } from "./start-invocation.ts";
import { textInput } from "./text-input.ts";

export interface ChatSource<Custom, Status> {
  readonly core: AgentCore<Custom, Status>;
  readonly getSnapshot: (snapshotId: string, options?: CallOptions) => Promise<Snapshot<Custom>>;
  readonly getLatestSnapshot: (sessionId: string, options?: CallOptions) => Promise<Snapshot<Custom>>;
  /** The state of a snapshot that was just made, without asking the store where that is not needed. */
  readonly stateAfter: (snapshotId: string, options?: CallOptions) => Promise<Snapshot<Custom>["state"]>;
}

/**
 * A conversation that remembers where it is. Server-managed, it sends to its session, so that sends at the same time meet
 * the agent's concurrency rule; once it was branched, it goes on from its own last turn. Client-managed, it carries the state.
 */
export function createChat<Custom, Status>(
  source: ChatSource<Custom, Status>,
  options: TurnOptions<Custom>,
): AgentChat<Custom, Status> {
  const { core } = source;
  const { context, signal } = options;
  const branched = options.snapshotId !== undefined;
  let { sessionId, snapshotId, state } = options;
  // Known from the start: several sends at once are sends to one session.
  if (core.stored !== undefined && sessionId === undefined && !branched) sessionId = core.runtime.ids.uuid();
  let messages: readonly Message[] = state?.messages ?? [];
  let custom: Custom | undefined = state?.custom;

  function remember(
    next: { messages?: readonly Message[] | undefined; custom?: Custom | undefined } | undefined,
  ): void {
    messages = next?.messages ?? messages;
    custom = next?.custom ?? custom;
  }

  async function onOutput(output: AgentOutput<Custom>, call: CallOptions): Promise<void> {
    sessionId = output.sessionId;
    snapshotId = output.snapshotId ?? snapshotId;
    if (output.state !== undefined) {
      state = output.state;
      remember(state);
    } else if (output.snapshotId !== undefined && output.finishReason !== "detached") {
      // A turn that is there but cannot be shown does not undo its output.
      remember(await source.stateAfter(output.snapshotId, call).catch(() => undefined));
    }
  }

  function startPoint(): TurnOptions<Custom> {
    if (core.stored === undefined) return state === undefined ? {} : { state };
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
      return messages;
    },
    get custom() {
      return custom;
    },
    send(given, call = {}): AgentStream<Custom, Status> {
      const input: AgentInput = typeof given === "string" ? textInput(given) : given;
      const one: CallOptions = { ...(context && { context }), ...(signal && { signal }), ...call };
      return agentStream(
        startInvocation(
          core,
          { ...startPoint(), ...one },
          { input, onOutput: (output) => onOutput(output, withoutSignal(one)) },
        ),
      );
    },
    async refresh(call = {}) {
      const one = { ...(context && { context }), ...call };
      const snapshot = branched
        ? await source.getSnapshot(snapshotId as string, one)
        : await source.getLatestSnapshot(sessionId as string, one);
      sessionId = snapshot.sessionId;
      snapshotId = snapshot.snapshotId;
      remember(snapshot.state);
    },
    branch: (from) => createChat(source, { ...(context && { context }), ...(signal && { signal }), snapshotId: from }),
  };
}

/** The turn is over: a signal that ends it must not end the look at what it left. */
function withoutSignal({ context }: CallOptions): CallOptions {
  return context === undefined ? {} : { context };
}
