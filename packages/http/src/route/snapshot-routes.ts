import {
  AbortRequestSchema,
  GetSnapshotRequestSchema,
  ListSnapshotsRequestSchema,
  parseWire,
  WaitForSnapshotRequestSchema,
} from "@agents/schema/agent";
import { AgentError } from "@agents/schema/error";
import type { AgentApi } from "@agents/schema/port";
import type * as z from "zod";
import type { Operation } from "../edge/authenticate.ts";
import type { Exchange } from "../edge/exchange.ts";
import { jsonReply } from "../edge/reply.ts";
import { answerOnce } from "./answer-once.ts";
import { findAgent } from "./find-agent.ts";
import { readEnvelope } from "./read-envelope.ts";
import type { RouteHandler, Services } from "./services.ts";

export function getSnapshotRoute(services: Services): RouteHandler {
  return snapshotRoute(services, "read", GetSnapshotRequestSchema, (agent, { snapshotId, sessionId }, { context }) => {
    if (snapshotId === undefined) return agent.getLatestSnapshot(sessionId as string, { context });
    return agent.getSnapshot(snapshotId, { context, ...(sessionId === undefined ? {} : { sessionId }) });
  });
}

export function listSnapshotsRoute(services: Services): RouteHandler {
  return snapshotRoute(services, "read", ListSnapshotsRequestSchema, (agent, request, { context }) =>
    agent.listSnapshots(request, { context }),
  );
}

/** Seen by the turn at once, whoever runs it: an explicit stop waits for nothing. */
export function abortRoute(services: Services): RouteHandler {
  return snapshotRoute(services, "abort", AbortRequestSchema, (agent, { snapshotId }, { context }) =>
    agent.abort(snapshotId, { context }),
  );
}

/** A long poll: DEADLINE_EXCEEDED when the turn is not over in time, which is never longer than the limit. */
export function waitForSnapshotRoute(services: Services): RouteHandler {
  const { attendance, limits, work } = services;
  return snapshotRoute(services, "wait", WaitForSnapshotRequestSchema, async (agent, request, exchange) => {
    work.check();
    const { snapshotId, timeoutMs = limits.waitMs } = request;
    const controller = new AbortController();
    const leave = (): void => controller.abort(new AgentError("CANCELLED", "The client left."));
    // Whoever waits for a turn wants it to go on.
    const unfollow = attendance.follow(snapshotId);
    try {
      const waiting = agent.waitForSnapshot(snapshotId, {
        context: exchange.context,
        signal: controller.signal,
        timeoutMs: Math.min(timeoutMs, limits.waitMs),
      });
      return await answerOnce(waiting, exchange, services, { kind: "listener", rejoinable: true, leave });
    } finally {
      unfollow();
    }
  });
}

function snapshotRoute<Schema extends z.ZodType>(
  services: Services,
  operation: Operation,
  schema: Schema,
  call: (agent: AgentApi, request: z.output<Schema>, exchange: Exchange) => Promise<unknown>,
): RouteHandler {
  return async (exchange) => {
    const agent = await findAgent(services, exchange, operation);
    const { data } = await readEnvelope(exchange, services);
    const request = parseWire(schema, data, { what: `data of ${exchange.route}` });
    return jsonReply({ result: await call(agent, request, exchange) });
  };
}
