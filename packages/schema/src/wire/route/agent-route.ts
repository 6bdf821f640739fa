import * as z from "zod";
import {
  AbortRequestSchema,
  AbortResultSchema,
  AgentDescriptionSchema,
  AgentInitSchema,
  AgentInputSchema,
  AgentOutputSchema,
  GetSnapshotRequestSchema,
  ListSnapshotsRequestSchema,
  open,
  PositionSchema,
  SnapshotPageSchema,
  SnapshotSchema,
  WaitForSnapshotRequestSchema,
  WireErrorSchema,
} from "../../agent/index.ts";
import { AGENT_PATHS } from "../../route/index.ts";
import { AgentFrameSchema, FollowFrameSchema } from "./agent-frame.ts";
import type { Route } from "./route.ts";

/** The envelope of every agent route: `data` in, `result` out. */
function call<Data extends z.ZodType>(data: Data) {
  return open({ data });
}
function answer<Result extends z.ZodType>(result: Result) {
  return open({ result });
}

export const RunAgentRequestSchema = open({ data: AgentInputSchema, init: AgentInitSchema.optional() });
export type RunAgentRequest = z.infer<typeof RunAgentRequestSchema>;
export const RunAgentResponseSchema = answer(AgentOutputSchema);

export const RunFlowRequestSchema = open({ data: z.unknown(), init: z.unknown().optional() });
export type RunFlowRequest = z.infer<typeof RunFlowRequestSchema>;
export const RunFlowResponseSchema = answer(z.unknown());
export const FlowFrameSchema = z.union([
  open({ message: z.unknown() }),
  open({ result: z.unknown() }),
  open({ error: WireErrorSchema }),
]);

export const ListAgentsResponseSchema = open({ agents: z.array(AgentDescriptionSchema) });

export const FollowTurnQuerySchema = open({
  /** Position of the last frame received; the header `Last-Event-ID` does the same. */
  after: PositionSchema.optional(),
});

export const StreamQuerySchema = open({
  /** Answers with a stream, as `Accept: text/event-stream` does. */
  stream: z.enum(["true", "false"]).optional(),
});

/** One turn per request. */
export const AGENT_ROUTES = {
  listAgents: {
    method: "GET",
    path: AGENT_PATHS.listAgents,
    summary: "The agents of this server.",
    response: ListAgentsResponseSchema,
  },
  runAgent: {
    method: "POST",
    path: AGENT_PATHS.runAgent,
    summary: "Runs one turn.",
    query: StreamQuerySchema,
    body: RunAgentRequestSchema,
    response: RunAgentResponseSchema,
    frame: AgentFrameSchema,
  },
  getSnapshot: {
    method: "POST",
    path: AGENT_PATHS.getSnapshot,
    summary: "One snapshot, by its id or the newest of a session.",
    body: call(GetSnapshotRequestSchema),
    response: answer(SnapshotSchema),
  },
  listSnapshots: {
    method: "POST",
    path: AGENT_PATHS.listSnapshots,
    summary: "The snapshots of a session, newest first.",
    body: call(ListSnapshotsRequestSchema),
    response: answer(SnapshotPageSchema),
  },
  abort: {
    method: "POST",
    path: AGENT_PATHS.abort,
    summary: "Stops a live turn, whoever runs it.",
    body: call(AbortRequestSchema),
    response: answer(AbortResultSchema),
  },
  waitForSnapshot: {
    method: "POST",
    path: AGENT_PATHS.waitForSnapshot,
    summary: "Waits until a turn is settled.",
    body: call(WaitForSnapshotRequestSchema),
    response: answer(SnapshotSchema),
  },
  followTurn: {
    method: "GET",
    path: AGENT_PATHS.followTurn,
    summary: "Replays a turn's chunks from a position, then goes on live.",
    query: FollowTurnQuerySchema,
    response: FollowFrameSchema,
    frame: FollowFrameSchema,
  },
  runFlow: {
    method: "POST",
    path: AGENT_PATHS.runFlow,
    summary: "Runs a flow.",
    query: StreamQuerySchema,
    body: RunFlowRequestSchema,
    response: RunFlowResponseSchema,
    frame: FlowFrameSchema,
  },
} as const satisfies Record<string, Route>;
