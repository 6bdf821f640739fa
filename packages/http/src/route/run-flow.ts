import { AgentError } from "@agents/schema/error";
import { authorizeCall } from "../edge/authenticate.ts";
import type { Exchange } from "../edge/exchange.ts";
import { jsonReply } from "../edge/reply.ts";
import { messageFrame, resultFrame } from "../stream/sse-frame-text.ts";
import { streamReply } from "../stream/stream-reply.ts";
import { answerOnce } from "./answer-once.ts";
import { readEnvelope } from "./read-envelope.ts";
import type { ServedFlow } from "./served-flow.ts";
import type { RouteHandler, Services } from "./services.ts";
import { wantsStream } from "./wants-stream.ts";

/** `POST /flows/{name}`. A flow has no log: it is stopped when its client leaves. */
export function runFlowRoute(services: Services): RouteHandler {
  return async (exchange) => {
    const flow = await findFlow(services, exchange);
    services.work.check();
    const streaming = wantsStream(exchange);
    const { data, init } = await readEnvelope(exchange, services);
    const release = streaming ? services.streams.open() : undefined;
    const controller = new AbortController();
    const client = {
      kind: "turn",
      rejoinable: false,
      abort: (reason: AgentError) => controller.abort(reason),
      leave: () => controller.abort(new AgentError("CANCELLED", "The client left.")),
    } as const;
    try {
      const { context } = exchange;
      const stream = flow.stream(data, {
        ...(init === undefined ? {} : { init }),
        context,
        signal: controller.signal,
      });
      if (release === undefined) {
        const output = await answerOnce(stream.output(), exchange, services, client);
        return jsonReply({ result: output ?? null });
      }
      return streamReply(
        {
          items: stream[Symbol.asyncIterator](),
          client,
          comments: false,
          frame: (message) => messageFrame(message),
          last: async () => resultFrame(await stream.output()),
          leave() {
            client.leave();
            // Reads the rest, so that the flow does not wait for its reader; how it ends interests nobody.
            stream.output().catch(() => {});
          },
        },
        exchange,
        services,
        release,
      );
    } catch (error) {
      release?.();
      throw error;
    }
  };
}

async function findFlow(
  { flows, authorize }: Pick<Services, "flows" | "authorize">,
  { params, context, inbound }: Exchange,
): Promise<ServedFlow> {
  const name = params["name"] ?? "";
  const flow = flows.get(name);
  if (flow === undefined) {
    throw new AgentError("NOT_FOUND", `There is no flow ${JSON.stringify(name.slice(0, 128))} here.`);
  }
  if (authorize !== undefined) {
    await authorizeCall(authorize, { name, kind: "flow", operation: "run", context, request: inbound.request });
  }
  return flow;
}
