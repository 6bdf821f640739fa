import type { Artifact, Message } from "@agents/schema/agent";

/**
 * A session's state at one moment. Deeply frozen: it can be handed to anybody and kept by a store in the same process.
 * A change makes a new one that shares everything else.
 */
export interface StateValue<Custom = unknown> {
  readonly sessionId: string;
  readonly messages: readonly Message[];
  readonly custom?: Custom;
  readonly artifacts: readonly Artifact[];
}
