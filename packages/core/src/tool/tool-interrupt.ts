import type { Metadata } from "@agents/schema/agent";

/** What `interrupt` throws. A tool that catches it must throw it on. */
export class ToolInterrupt extends Error {
  constructor(readonly metadata: Metadata) {
    super("The tool call waits for a person.");
    this.name = "ToolInterrupt";
  }
}

/**
 * Ends the running tool call until a person answers for it or restarts it; works from any depth. The metadata tells them
 * what it waits for.
 */
export function interrupt(metadata: Metadata = {}): never {
  throw new ToolInterrupt(metadata);
}
