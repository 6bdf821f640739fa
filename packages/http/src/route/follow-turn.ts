import { parseWire, type Snapshot, SnapshotIdSchema } from "@agents/schema/agent";
import { AgentError } from "@agents/schema/error";
import type { AgentApi, AgentContext } from "@agents/schema/port";
import { HEADERS, parsePosition } from "@agents/schema/route";
import type { Exchange } from "../edge/exchange.ts";
import { followFrame, resultFrame } from "../stream/sse-frame-text.ts";
import { streamReply } from "../stream/stream-reply.ts";
import { findAgent } from "./find-agent.ts";
import { outputOfSnapshot } from "./output-of-snapshot.ts";
import type { RouteHandler, Services } from "./services.ts";

/** `GET /agents/{name}/turns/{turnId}/stream`: what was shown of a turn after a position, then what follows, and its output. */
export function followTurnRoute(services: Services): RouteHandler {
  return async (exchange) => {
    const agent = await findAgent(services, exchange, "follow");
    services.work.check();
    const { context, params } = exchange;
    const turnId = parseWire(SnapshotIdSchema, params["turnId"], { what: `turn id of ${exchange.route}` });
    const after = positionOf(exchange);
    const controller = new AbortController();
    // Before the turn is looked for: an agent without a log says so whatever the id.
    const followed = agent.follow(turnId, {
      context,
      signal: controller.signal,
      ...(after === undefined ? {} : { after }),
    });
    const release = services.streams.open();
    let unfollow = (): void => {};
    try {
      const final = await finalSnapshot(agent, turnId, context);
      unfollow = services.attendance.follow(turnId);
      const items = followed[Symbol.asyncIterator]();
      return streamReply(
        {
          items,
          headers: { [HEADERS.turnId]: turnId },
          client: { kind: "listener", rejoinable: true },
          comments: true,
          turnId,
          frame: followFrame,
          last: async () => resultFrame(outputOfSnapshot(final ?? (await agent.getSnapshot(turnId, { context })))),
          leave() {
            controller.abort(new AgentError("CANCELLED", "The follower left."));
            void items.return?.()?.catch(() => {});
          },
        },
        exchange,
        services,
        () => {
          release();
          unfollow();
        },
      );
    } catch (error) {
      release();
      unfollow();
      throw error;
    }
  };
}

/** The header is what a browser sends when it reconnects by itself, to a URL that may still have its first position. */
function positionOf({ inbound, query }: Exchange): string | undefined {
  const given = inbound.header(HEADERS.lastEventId) || query.get("after");
  if (given === null || given === "") return undefined;
  parsePosition(given);
  return given;
}

/** NOT_FOUND for a turn that is unknown to this caller; undefined while it goes on. Reads no state of a live turn. */
async function finalSnapshot(agent: AgentApi, turnId: string, context: AgentContext): Promise<Snapshot | undefined> {
  try {
    return await agent.waitForSnapshot(turnId, { context, timeoutMs: 0 });
  } catch (error) {
    if (AgentError.is(error) && error.status === "DEADLINE_EXCEEDED") return undefined;
    throw error;
  }
}
