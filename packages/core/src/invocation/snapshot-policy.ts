import { AgentError } from "@agents/schema/error";
import type { State } from "../state/state.ts";
import type { StateValue } from "../state/state-value.ts";

export type SnapshotEvent = "turnEnd" | "invocationEnd";

export interface SnapshotDecision<Custom = unknown> {
  readonly event: SnapshotEvent;
  readonly state: StateValue<Custom>;
  /** The state that was stored last in this session; undefined before the first. */
  readonly previous: StateValue<Custom> | undefined;
  /** Of the turn that ended; of the last one at the invocation's end. */
  readonly turnIndex: number;
}

/**
 * When a state is stored. A list names the events; `"always"` is both of them. A turn that is declined settles without
 * state: its row says how it ended, and the session stays where it was.
 */
export type SnapshotPolicy<Custom = unknown> =
  | "always"
  | "never"
  | readonly SnapshotEvent[]
  | ((decision: SnapshotDecision<Custom>) => boolean);

const EVENTS: readonly SnapshotEvent[] = ["turnEnd", "invocationEnd"];

/** Every successful turn, and nothing at the invocation's end. */
export const DEFAULT_POLICY: SnapshotPolicy = ["turnEnd"];

/** What a decision is made of, before anybody asked to see it. */
export interface SnapshotMoment<Custom> extends Pick<SnapshotDecision, "event" | "turnIndex"> {
  readonly state: State<Custom>;
  readonly previous: State<Custom> | undefined;
}

export function wantsSnapshot<Custom>(policy: SnapshotPolicy<Custom>, moment: SnapshotMoment<Custom>): boolean {
  if (policy === "always") return true;
  if (policy === "never") return false;
  const { event, state, previous, turnIndex } = moment;
  if (typeof policy !== "function") return policy.includes(event);
  return policy({ event, state: state.value, previous: previous?.value, turnIndex });
}

/** Throws INVALID_ARGUMENT for what is no policy. */
export function checkPolicy(policy: unknown, what: string): void {
  if (policy === "always" || policy === "never" || typeof policy === "function") return;
  if (Array.isArray(policy) && policy.every((event) => EVENTS.includes(event))) return;
  throw new AgentError(
    "INVALID_ARGUMENT",
    `${what}: snapshot is ${JSON.stringify(policy)}; it takes "always", "never", a function, or a list of ${EVENTS.join(" and ")}.`,
  );
}
