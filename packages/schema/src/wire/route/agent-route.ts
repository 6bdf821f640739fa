import * as z from "zod";
import { AgentFrameSchema } from "../agent-chunk.ts";
import { AgentInitSchema, AgentInputSchema } from "../agent-input.ts";
import { AgentDescriptionSchema } from "../agent-metadata.ts";
import { AgentOutputSchema } from "../agent-output.ts";
import { open } from "../open-object.ts";
import { PositionSchema } from "../position.ts";
import {
  AbortRequestSchema,
  AbortResultSchema,
  GetSnapshotRequestSchema,
  ListSnapshotsRequestSchema,
  SnapshotPageSchema,
  SnapshotSchema,
  WaitForSnapshotRequestSchema,
} from "../snapshot.ts";
import { WireErrorSchema } from "../wire-error.ts";
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

/** One turn per request. */
export const AGENT_ROUTES = {
  listAgents: {
    method: "GET",
    path: "/agents",
    summary: "The agents of this server.",
    response: ListAgentsResponseSchema,
  },
  runAgent: {
    method: "POST",
    path: "/agents/{name}",
    summary: "Runs one turn.",
    body: RunAgentRequestSchema,
    response: RunAgentResponseSchema,
    frame: AgentFrameSchema,
  },
  getSnapshot: {
    method: "POST",
    path: "/agents/{name}/getSnapshot",
    summary: "One snapshot, by its id or the newest of a session.",
    body: call(GetSnapshotRequestSchema),
    response: answer(SnapshotSchema),
  },
  listSnapshots: {
    method: "POST",
    path: "/agents/{name}/listSnapshots",
    summary: "The snapshots of a session, newest first.",
    body: call(ListSnapshotsRequestSchema),
    response: answer(SnapshotPageSchema),
  },
  abort: {
    method: "POST",
    path: "/agents/{name}/abort",
    summary: "Stops a live turn, whoever runs it.",
    body: call(AbortRequestSchema),
    response: answer(AbortResultSchema),
  },
  waitForSnapshot: {
    method: "POST",
    path: "/agents/{name}/waitForSnapshot",
    summary: "Waits until a turn is settled.",
    body: call(WaitForSnapshotRequestSchema),
    response: answer(SnapshotSchema),
  },
  followTurn: {
    method: "GET",
    path: "/agents/{name}/turns/{turnId}/stream",
    summary: "Replays a turn's chunks from a position, then goes on live.",
    query: FollowTurnQuerySchema,
    response: AgentFrameSchema,
    frame: AgentFrameSchema,
  },
  runFlow: {
    method: "POST",
    path: "/flows/{name}",
    summary: "Runs a flow.",
    body: RunFlowRequestSchema,
    response: RunFlowResponseSchema,
    frame: FlowFrameSchema,
  },
} as const satisfies Record<string, Route>;
