import type { Artifact, Media, Message, Part } from "@agents/schema/agent";
import type { AgentContext } from "@agents/schema/port";
import type { State } from "../state/state.ts";

/** Keeps large inline media out of states and rows. What a turn streams is streamed, and logged, as it is. */
export interface MediaOffload {
  /** Data URLs shorter than this stay inline, in characters. @default 8_192 */
  readonly minLength?: number;
  /**
   * Stores the media elsewhere and returns what stands in its place: a URL that the agent's model can read. Called for
   * messages of the user before their turn begins, and for messages and artifacts of the agent before they are saved.
   * What it throws fails the turn.
   */
  store(media: Media, place: MediaPlace): Promise<Media>;
}

export interface MediaPlace {
  /** Undefined for the first message of a branch, which is sent by snapshot. */
  readonly sessionId: string | undefined;
  readonly context: AgentContext;
}

const DEFAULT_MIN_LENGTH = 8_192;

export async function offloadMessage(offload: MediaOffload, message: Message, place: MediaPlace): Promise<Message> {
  const content = await offloadParts(offload, message.content, place);
  return content === message.content ? message : { ...message, content };
}

/**
 * The state with media stored elsewhere: of messages after the first `from`, which were looked at before, and of all
 * artifacts. The same object when there was nothing to do.
 */
export async function offloadState<Custom>(
  offload: MediaOffload,
  state: State<Custom>,
  { from, ...place }: MediaPlace & { readonly from: number },
): Promise<State<Custom>> {
  const added = state.history.from(from);
  const messages = await Promise.all(added.map((message) => offloadMessage(offload, message, place)));
  const artifacts = await Promise.all(state.artifacts.map((artifact) => offloadArtifact(offload, artifact, place)));
  let next = state;
  if (messages.some((message, index) => message !== added[index])) {
    next = next.withMessages([...state.messages.slice(0, from), ...messages]);
  }
  if (artifacts.some((artifact, index) => artifact !== state.artifacts[index])) {
    next = next.withArtifacts(artifacts);
  }
  return next;
}

async function offloadArtifact(offload: MediaOffload, artifact: Artifact, place: MediaPlace): Promise<Artifact> {
  const parts = await offloadParts(offload, artifact.parts, place);
  return parts === artifact.parts ? artifact : { ...artifact, parts };
}

async function offloadParts(offload: MediaOffload, parts: Part[], place: MediaPlace): Promise<Part[]> {
  const { minLength = DEFAULT_MIN_LENGTH } = offload;
  if (!parts.some((part) => isLarge(part, minLength))) return parts;
  return Promise.all(
    parts.map(async (part) =>
      part.media !== undefined && isLarge(part, minLength)
        ? { ...part, media: await offload.store(part.media, place) }
        : part,
    ),
  );
}

function isLarge({ media }: Part, minLength: number): boolean {
  return media?.url.startsWith("data:") === true && media.url.length >= minLength;
}
