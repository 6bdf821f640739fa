import type { CallOptions } from "@agents/schema/port";

/** What is needed of a flow, or of any action that takes one input, streams, and ends with one output. */
export interface ServedFlow {
  readonly name: string;
  readonly description?: string;
  /** May throw INVALID_ARGUMENT before anything runs. The signal stops it. */
  stream(
    input: unknown,
    options?: CallOptions & { readonly init?: unknown },
  ): AsyncIterable<unknown> & { output(): Promise<unknown> };
}
