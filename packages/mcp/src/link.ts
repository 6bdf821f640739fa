import type { AgentError } from "@agents/schema/error";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";

/** A transport, and what the SDK's own does not tell. */
export interface Link {
  readonly transport: Transport;
  /** What a server process last wrote to stderr; complete once the process has ended. */
  lastWords(): Promise<readonly string[]>;
  /** Whether a request failed because the server no longer knows the session, so that it was not looked at. */
  lostSession(error: unknown): boolean;
  /** Resolves when nothing of it is left: a process has ended, or was killed. */
  close(): Promise<void>;
}

export interface LinkEvents {
  /** The server knows this session no more, although no request said so. */
  onLost(): void;
  onTrouble(error: AgentError): void;
}
