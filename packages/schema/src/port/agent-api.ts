import type {
  AbortResult,
  AgentChunk,
  AgentInit,
  AgentInput,
  AgentMetadata,
  AgentOutput,
  ListSnapshotsRequest,
  Message,
  Resume,
  Snapshot,
  SnapshotPage,
} from "../agent/index.ts";

/** What `authenticate` found out; reaches the agent, its tools, its transforms and the store's scope. */
export interface AgentContext {
  /** Who asks. */
  readonly subject?: string;
  /** The tenant. */
  readonly scope?: string;
  readonly [key: string]: unknown;
}

export interface CallOptions {
  readonly context?: AgentContext;
  /** Ends the call. Of a running foreground turn, it also aborts the turn. */
  readonly signal?: AbortSignal;
}

/** Where a turn starts from, and for whom. Nothing: a fresh session. */
export interface TurnOptions<Custom = unknown> extends AgentInit<Custom>, CallOptions {
  /**
   * Called for each turn of the invocation when it has its row, before its first chunk: from here on it can be followed or
   * aborted by this id. Not called where the client carries the state. Must not throw.
   */
  readonly onTurn?: (turnId: string) => void;
}

/** A chunk and its place in the turn's log; without a log there is no place, and no re-joining. */
export interface PositionedChunk<Status = unknown> {
  readonly chunk: AgentChunk<Status>;
  readonly position?: string;
}

/** Another process took the turn over and runs it again: what was shown of it so far is void. */
export interface Restarted {
  readonly restarted: true;
  readonly position: string;
}

/**
 * One turn under way. Iterating it gives its chunks. It runs whether or not anybody reads, as far as the bounded channel
 * allows; `output()` drains what nobody read.
 */
export interface AgentStream<Custom = unknown, Status = unknown> extends AsyncIterable<AgentChunk<Status>> {
  /** The same chunks with their positions. Chunks go to one reader: use this or the iterator. */
  positioned(): AsyncIterable<PositionedChunk<Status>>;
  /** Known as soon as the row is there, before the first chunk. Undefined when client-managed. */
  turnId(): Promise<string | undefined>;
  /** Rejects only for API misuse (the invocation never started); a failed turn resolves with `finishReason: "failed"`. */
  output(): Promise<AgentOutput<Custom>>;
}

/** One invocation with any number of turns. */
export interface AgentConnection<Custom = unknown, Status = unknown> {
  /** Resolves when the input was taken; waits while the bounded channel is full. FAILED_PRECONDITION once closed. */
  send(input: AgentInput): Promise<void>;
  sendText(text: string): Promise<void>;
  sendResume(resume: Resume): Promise<void>;
  /** Leaves the work to go on without this client; the output then says `detached`. */
  detach(): Promise<AgentOutput<Custom>>;
  /** No more inputs. */
  close(): void;
  /** Chunks until the connection ends. Leaving the loop loses nothing: the next call goes on where it left. */
  receive(): AsyncIterable<AgentChunk<Status>>;
  /** Chunks up to and including the next `turnEnd`. */
  receiveTurn(): AsyncIterable<AgentChunk<Status>>;
  /** The same chunks as `receive` with their positions, where they are known. Chunks go to one reader: use one of the two. */
  positioned?(): AsyncIterable<PositionedChunk<Status>>;
  /** Custom state as the patches received so far make it. */
  readonly custom: Custom | undefined;
  /** Closes the input side and waits for the end. Can be called any number of times. */
  output(): Promise<AgentOutput<Custom>>;
  /** Whether the output is there. */
  readonly done: boolean;
}

/** A conversation that remembers where it is. */
export interface AgentChat<Custom = unknown, Status = unknown> {
  readonly sessionId: string | undefined;
  readonly snapshotId: string | undefined;
  /** The conversation as the server has it, tool messages included. */
  readonly messages: readonly Message[];
  readonly custom: Custom | undefined;
  send(input: string | AgentInput, options?: CallOptions): AgentStream<Custom, Status>;
  /** Loads the conversation as it is now, for a chat that goes on with an existing one. NOT_FOUND when there is none. */
  refresh(options?: CallOptions): Promise<void>;
  /** A chat that goes on from an earlier turn; this one stays where it is. */
  branch(snapshotId: string): AgentChat<Custom, Status>;
}

/**
 * An agent, wherever it runs: core implements this in process, the client over HTTP, and the HTTP handler serves any of
 * them. An unknown id is NOT_FOUND everywhere, except that `abort` answers without a status.
 */
export interface AgentApi<Custom = unknown, Status = unknown> {
  readonly name: string;
  readonly description?: string;
  readonly metadata: AgentMetadata;

  run(input: AgentInput, options?: TurnOptions<Custom>): Promise<AgentOutput<Custom>>;
  runText(text: string, options?: TurnOptions<Custom>): Promise<AgentOutput<Custom>>;
  stream(input: AgentInput, options?: TurnOptions<Custom>): AgentStream<Custom, Status>;
  streamText(text: string, options?: TurnOptions<Custom>): AgentStream<Custom, Status>;
  connect(options?: TurnOptions<Custom>): AgentConnection<Custom, Status>;
  chat(options?: TurnOptions<Custom>): AgentChat<Custom, Status>;

  getSnapshot(snapshotId: string, options?: CallOptions & { readonly sessionId?: string }): Promise<Snapshot<Custom>>;
  getLatestSnapshot(sessionId: string, options?: CallOptions): Promise<Snapshot<Custom>>;
  listSnapshots(request: ListSnapshotsRequest, options?: CallOptions): Promise<SnapshotPage>;
  /** Resolves when the snapshot has a final status. DEADLINE_EXCEEDED after `timeoutMs`. */
  waitForSnapshot(
    snapshotId: string,
    options?: CallOptions & { readonly timeoutMs?: number },
  ): Promise<Snapshot<Custom>>;
  abort(snapshotId: string, options?: CallOptions): Promise<AbortResult>;
  /** Replays a turn's chunks after a position, then goes on live to its end: no gap, no repeat. */
  follow(
    turnId: string,
    options?: CallOptions & { readonly after?: string },
  ): AsyncIterable<PositionedChunk<Status> | Restarted>;
}
