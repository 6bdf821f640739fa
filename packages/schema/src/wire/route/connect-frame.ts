import * as z from "zod";
import {
  AgentChunkSchema,
  AgentInitSchema,
  AgentInputSchema,
  AgentOutputSchema,
  open,
  PositionSchema,
  SnapshotIdSchema,
  WireErrorSchema,
} from "../../agent/index.ts";

/**
 * What a client sends over `WS /agents/{name}/connect`, each a text message of JSON: `start` first and once, then inputs
 * until `close`. An input with `detach` leaves the work to go on; the result is then `detached`.
 */
export const ConnectRequestFrameSchema = z.discriminatedUnion("type", [
  open({ type: z.literal("start"), init: AgentInitSchema.optional() }),
  open({ type: z.literal("input"), input: AgentInputSchema }),
  /** Stops the turn that runs. */
  open({ type: z.literal("abort") }),
  /** No more inputs; the output follows when those sent are done. */
  open({ type: z.literal("close") }),
]);
export type ConnectRequestFrame = z.infer<typeof ConnectRequestFrameSchema>;

/**
 * What the server sends: any number of turns and chunks, then one output or error, then it closes with one of
 * `CONNECT_CLOSE_CODES`. The frame `turn` comes after the `turnEnd` of the turn before it.
 */
export const ConnectResponseFrameSchema = z.discriminatedUnion("type", [
  /** A turn has its row: from here on it can be re-joined or aborted by this id. */
  open({ type: z.literal("turn"), turnId: SnapshotIdSchema.optional(), turnIndex: z.number().int().nonnegative() }),
  open({ type: z.literal("chunk"), message: AgentChunkSchema, position: PositionSchema.optional() }),
  /** Another process took the turn over: what was shown of it so far is void. */
  open({ type: z.literal("restarted"), position: PositionSchema }),
  open({ type: z.literal("result"), result: AgentOutputSchema }),
  open({ type: z.literal("error"), error: WireErrorSchema }),
]);
export type ConnectResponseFrame = z.infer<typeof ConnectResponseFrameSchema>;
