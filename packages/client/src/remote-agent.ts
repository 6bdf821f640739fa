import type { AgentInput, AgentMetadata } from "@agents/schema/agent";
import type { AgentApi } from "@agents/schema/port";
import { createChat, type RemoteChat } from "./chat/remote-chat.ts";
import { openConnection, type RemoteConnection } from "./connection/remote-connection.ts";
import { createSnapshotCalls } from "./snapshot/snapshot-calls.ts";
import { followTurn } from "./stream/follow-turn.ts";
import type { RemoteTurnOptions } from "./stream/remote-calls.ts";
import type { RemoteStream } from "./stream/remote-stream.ts";
import { startTurn } from "./stream/start-turn.ts";
import { textInput } from "./stream/text-input.ts";
import { createTask, detachTurn, type RemoteTask } from "./task/remote-task.ts";
import { resolveSettings, type ServerOptions } from "./transport/settings.ts";

/** What carries a type: a zod schema, or that of any library that follows Standard Schema. Never looked into. */
export interface SchemaType<Value> {
  readonly "~standard": { readonly types?: { readonly output: Value } | undefined };
}

export interface RemoteAgentOptions<Custom = unknown, Status = unknown> extends ServerOptions {
  /** The agent's name on the server. */
  readonly name: string;
  /** For the type of custom state alone; `remoteAgent<Custom>()` does the same and keeps the schema out of the bundle. */
  readonly stateSchema?: SchemaType<Custom>;
  /** The same for the type of status chunks. */
  readonly statusSchema?: SchemaType<Status>;
  readonly description?: string | undefined;
  /**
   * What the server says of the agent (`listAgents`). With `stateManagement: "client"`, chats carry the state.
   * @default { stateManagement: "server", abortable: true }
   */
  readonly metadata?: AgentMetadata | undefined;
}

/** An agent on a server, with the surface it has in process. */
export interface RemoteAgent<Custom = unknown, Status = unknown> extends AgentApi<Custom, Status> {
  stream(input: AgentInput, options?: RemoteTurnOptions<Custom>): RemoteStream<Custom, Status>;
  streamText(text: string, options?: RemoteTurnOptions<Custom>): RemoteStream<Custom, Status>;
  connect(options?: RemoteTurnOptions<Custom>): RemoteConnection<Custom, Status>;
  chat(options?: RemoteTurnOptions<Custom>): RemoteChat<Custom, Status>;
  /** Starts a turn that goes on without this client. */
  detach(input: string | AgentInput, options?: RemoteTurnOptions<Custom>): Promise<RemoteTask<Custom, Status>>;
  /** A turn that was started before, here or elsewhere. Asks nothing until it is used. */
  task(snapshotId: string): RemoteTask<Custom, Status>;
}

const SERVER_MANAGED: AgentMetadata = { stateManagement: "server", abortable: true };

/** Asks nothing of the server until it is used. */
export function remoteAgent<Custom = unknown, Status = unknown>(
  options: RemoteAgentOptions<Custom, Status>,
): RemoteAgent<Custom, Status> {
  const { name, description, metadata = SERVER_MANAGED } = options;
  const settings = resolveSettings(options);
  const snapshots = createSnapshotCalls<Custom>(settings, name);
  const calls = { settings, name, snapshots, clientManaged: metadata.stateManagement === "client" };
  const start = (input: string | AgentInput, one: RemoteTurnOptions<Custom> = {}) =>
    startTurn<Custom, Status>(calls, { input: textInput(input), options: one });
  return {
    name,
    ...(description === undefined ? {} : { description }),
    metadata,
    // Over a stream too: an answer that is lost on its way can then be had again.
    run: (input, one) => start(input, one).output(),
    runText: (text, one) => start(text, one).output(),
    stream: start,
    streamText: start,
    connect: (one = {}) => openConnection<Custom, Status>(calls, one),
    chat: (one = {}) => createChat<Custom, Status>(calls, one),
    detach: (input, one = {}) => detachTurn<Custom, Status>(calls, textInput(input), one),
    task: (snapshotId) => createTask<Custom, Status>(calls, snapshotId),
    ...snapshots,
    follow: (turnId, one) => followTurn<Custom, Status>(calls, turnId, one),
  };
}
