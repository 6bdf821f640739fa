import type { SnapshotSummary } from "@agents/schema/agent";
import type { AgentApi, AgentStream, CallOptions, Store, Tool } from "@agents/schema/port";
import { type AgentToolOptions, agentTool } from "../delegation/agent-tool.ts";
import { createChat } from "./agent-chat.ts";
import type { AgentCore } from "./agent-core.ts";
import { agentConnection, agentStream } from "./agent-stream.ts";
import { createSnapshotSurface } from "./snapshot-surface.ts";
import { startInvocation } from "./start-invocation.ts";
import { textInput } from "./text-input.ts";

/** An agent in this process. */
export interface Agent<Custom = unknown, Status = unknown> extends AgentApi<Custom, Status> {
  /** Its store, for raw access. Undefined when the client carries the state. */
  readonly store: Store | undefined;
  /**
   * Takes over a turn that reads as expired and runs it again from its start, here. Those who follow it learn that what
   * they saw is void. Rejects with FAILED_PRECONDITION for a turn that is live or has ended.
   */
  retry(snapshotId: string, options?: CallOptions): AgentStream<Custom, Status>;
  /** Reads a snapshot's state and hashes it again. Rejects with DATA_LOSS where it is not what was saved. */
  verifySnapshot(snapshotId: string, options?: CallOptions): Promise<SnapshotSummary>;
  /**
   * Resolves when the agent can work: its prompt is there and takes its input, and so are the model and tools that it names.
   * Otherwise the first turn would reject with the same error.
   */
  ready(options?: CallOptions): Promise<void>;
  /** This agent as a tool of another. */
  asTool(options?: AgentToolOptions): Tool;
}

export function createAgent<Custom, Status>(core: AgentCore<Custom, Status>): Agent<Custom, Status> {
  const { spec, description, metadata, store } = core;
  const { stateAfter, ...snapshots } = createSnapshotSurface(core);
  const source = { core, stateAfter, ...snapshots };
  const agent: Agent<Custom, Status> = {
    name: spec.name,
    ...(description === undefined ? {} : { description }),
    metadata,
    store,
    run: (input, options = {}) => startInvocation(core, options, { input }).connection.output(),
    runText: (text, options = {}) => startInvocation(core, options, { input: textInput(text) }).connection.output(),
    stream: (input, options = {}) => agentStream(startInvocation(core, options, { input })),
    streamText: (text, options = {}) => agentStream(startInvocation(core, options, { input: textInput(text) })),
    connect: (options = {}) => agentConnection(startInvocation(core, options), options.state?.custom),
    chat: (options = {}) => createChat(source, options),
    retry: (snapshotId, options = {}) => agentStream(startInvocation(core, options, { retry: snapshotId })),
    ready: async ({ context = {} } = {}) => core.readiness?.check(context),
    asTool: (options) => agentTool(agent as AgentApi, options),
    ...snapshots,
  };
  return agent;
}
