import type { AgentChunk, Artifact, Message, SessionState } from "@agents/schema/agent";
import { toAgentError, toWireError, type WireError } from "@agents/schema/error";
import type { AgentContext } from "@agents/schema/port";

// biome-ignore lint/suspicious/noConfusingVoidType: a transform that returns nothing is how something is left out.
type Transformed<T> = T | undefined | void | Promise<T | undefined | void>;

/**
 * What clients see, where it differs from what is stored. Each is given a deep copy and the caller's context, may be
 * asynchronous, and leaves the value out by returning nothing. What one throws fails the read or the turn with its
 * status: a value that could not be transformed never leaves.
 */
export interface ClientTransform<Custom = unknown, Status = unknown> {
  /** Of outputs and snapshots; live patches are taken between transformed states. */
  state?(state: SessionState<Custom>, context: AgentContext): Transformed<SessionState<Custom>>;
  /** Of streams and the event log. `turnEnd` is not passed: it holds ids and a reason, and clients wait for it. */
  chunk?(chunk: AgentChunk<Status>, context: AgentContext): Transformed<AgentChunk<Status>>;
  /** Of outputs, and the input that the event log begins with. */
  message?(message: Message, context: AgentContext): Transformed<Message>;
  /** Of outputs, snapshots and the event log. An error that is left out becomes INTERNAL without details. */
  error?(error: WireError, context: AgentContext): Transformed<WireError>;
}

type Bound<T> = ((value: T) => Promise<T | undefined>) | undefined;

/** A transform for one caller. A part that was not given is undefined: everything passes, and nobody waits for it. */
export interface BoundTransform<Custom = unknown, Status = unknown> {
  readonly state: Bound<SessionState<Custom>>;
  readonly chunk: Bound<AgentChunk<Status>>;
  readonly message: Bound<Message>;
  readonly error: Bound<WireError>;
}

export function bindTransform<Custom, Status>(
  transform: ClientTransform<Custom, Status> | undefined,
  context: AgentContext,
): BoundTransform<Custom, Status> {
  if (transform === undefined) return EVERYTHING;
  return {
    state: transform.state && bound((value) => transform.state?.(value, context)),
    chunk: transform.chunk && bound((value) => transform.chunk?.(value, context)),
    message: transform.message && bound((value) => transform.message?.(value, context)),
    error: transform.error && bound((value) => transform.error?.(value, context)),
  };
}

const EVERYTHING = { state: undefined, chunk: undefined, message: undefined, error: undefined } as const;

/** In: a copy. Out: a value or nothing. */
function bound<T>(apply: (value: T) => Transformed<T>): (value: T) => Promise<T | undefined> {
  return async (value) => (await apply(structuredClone(value))) ?? undefined;
}

/** What clients are told of a thrown value. Never rejects: what the transform throws is told instead. */
export async function shownError(transform: Pick<BoundTransform, "error">, thrown: unknown): Promise<WireError> {
  const wire = toWireError(toAgentError(thrown));
  try {
    return await shownStoredError(transform, wire);
  } catch (failure) {
    return toWireError(toAgentError(failure));
  }
}

/** What a reader is told of an error that is stored. Rejects with what the transform throws: then it is not told. */
export async function shownStoredError(
  { error }: Pick<BoundTransform, "error">,
  stored: WireError,
): Promise<WireError> {
  return error === undefined ? stored : ((await error(stored)) ?? toWireError(undefined));
}

/** Artifacts are part of the state and are streamed as chunks, so both have a say. */
export async function shownArtifacts<Custom, Status>(
  { state, chunk }: Pick<BoundTransform<Custom, Status>, "state" | "chunk">,
  artifacts: readonly Artifact[],
  whole: SessionState<Custom>,
): Promise<readonly Artifact[] | undefined> {
  const seen = state === undefined ? artifacts : (await state({ ...whole, artifacts: [...artifacts] }))?.artifacts;
  if (seen === undefined || chunk === undefined) return seen;
  const shown = await Promise.all(seen.map(async (artifact) => (await chunk({ artifact }))?.artifact));
  return shown.filter((artifact) => artifact !== undefined);
}
