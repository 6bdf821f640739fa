import type { CallOptions } from "@agents/schema/port";
import type * as z from "zod";
import type { BidiConnection, BidiStream } from "./bidi-connection.ts";

export interface BidiCallOptions<Init = unknown> extends CallOptions {
  /** What the invocation starts from. Checked before anything runs. */
  readonly init?: Init;
}

/** Options that must be given exactly if `init` must. */
export type BidiCallArguments<Init> = undefined extends Init
  ? [options?: BidiCallOptions<Init>]
  : [options: BidiCallOptions<Init> & { readonly init: Init }];

export interface ActionSchemas {
  readonly init?: z.ZodType;
  readonly input?: z.ZodType;
  readonly stream?: z.ZodType;
  readonly output?: z.ZodType;
}

/**
 * A named piece of work that takes inputs while it streams chunks, and ends with one output. The types are those of the
 * caller's side: `Init` and `In` before their schemas' defaults, `Stream` and `Out` after.
 */
export interface BidiAction<Init = unknown, In = unknown, Stream = unknown, Out = unknown> {
  readonly name: string;
  readonly description?: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly schemas: ActionSchemas;
  /** Starts an invocation. Throws INVALID_ARGUMENT if `init` does not fit its schema; nothing has run then. */
  connect(...args: BidiCallArguments<Init>): BidiConnection<In, Stream, Out>;
  /**
   * One input, one output; chunks are discarded. Rejects with INVALID_ARGUMENT, before anything runs, if the input is
   * missing (`undefined`) or `init` or the input do not fit their schemas.
   */
  run(input: In, ...args: BidiCallArguments<Init>): Promise<Out>;
  /** One input, its chunks and the output. Throws what `run` rejects with before anything runs. */
  stream(input: In, ...args: BidiCallArguments<Init>): BidiStream<Stream, Out>;
}
