import * as z from "zod";
import { AgentChunkSchema, AgentOutputSchema, open, PositionSchema, WireErrorSchema } from "../../agent/index.ts";

const MESSAGE_FRAME = open({ message: AgentChunkSchema, position: PositionSchema.optional() });
const RESULT_FRAME = open({ result: AgentOutputSchema });
const ERROR_FRAME = open({ error: WireErrorSchema });

/** The frames of a streamed POST: chunks, then exactly one result or error. Older clients know no others. */
export const AgentFrameSchema = z.union([MESSAGE_FRAME, RESULT_FRAME, ERROR_FRAME]);
export type AgentFrame = z.infer<typeof AgentFrameSchema>;

/** Another process took the turn over and runs it again: what was shown of it so far is void. */
export const RestartedFrameSchema = open({ restarted: z.literal(true), position: PositionSchema });
export type RestartedFrame = z.infer<typeof RestartedFrameSchema>;

/** The frames of a turn that is followed. */
export const FollowFrameSchema = z.union([MESSAGE_FRAME, RestartedFrameSchema, RESULT_FRAME, ERROR_FRAME]);
export type FollowFrame = z.infer<typeof FollowFrameSchema>;
