import { HEADERS } from "@agents/schema/route";
import type { Exchange } from "../edge/exchange.ts";
import { jsonReply, type Reply } from "../edge/reply.ts";
import { messageFrame, resultFrame } from "../stream/sse-frame-text.ts";
import { streamReply } from "../stream/stream-reply.ts";
import { answerOnce } from "./answer-once.ts";
import { findAgent } from "./find-agent.ts";
import { readEnvelope } from "./read-envelope.ts";
import type { RouteHandler, Services } from "./services.ts";
import { type StartedTurn, startTurn } from "./start-turn.ts";
import { wantsStream } from "./wants-stream.ts";

/** `POST /agents/{name}`: one turn, answered at its end or as it goes on. */
export function runAgentRoute(services: Services): RouteHandler {
  return async (exchange) => {
    const found = findAgent(services, exchange, "run");
    const agent = found instanceof Promise ? await found : found;
    services.work.check();
    const streaming = wantsStream(exchange);
    const envelope = await readEnvelope(exchange, services);
    if (!streaming) return answerTurn(startTurn(agent, envelope, exchange, services), exchange, services);
    const release = services.streams.open();
    try {
      const turn = startTurn(agent, envelope, exchange, services);
      const carried = agent.metadata.stateManagement === "client";
      return await streamTurn(turn, { carried, exchange, services, release });
    } catch (error) {
      release();
      throw error;
    }
  };
}

async function answerTurn(turn: StartedTurn, exchange: Exchange, services: Services): Promise<Reply> {
  const { stream } = turn;
  const output = await answerOnce(stream.output(), exchange, services, {
    kind: "turn",
    rejoinable: turn.rejoinable,
    abort: turn.abort,
    leave: turn.leave,
    turnId: () => stream.turnId(),
  });
  return jsonReply({ result: output }, { headers: turnHeader(await stream.turnId()) });
}

interface StreamTurnOptions {
  /** The client carries the state. */
  readonly carried: boolean;
  readonly exchange: Exchange;
  readonly services: Services;
  readonly release: () => void;
}

async function streamTurn(
  turn: StartedTurn,
  { carried, exchange, services, release }: StreamTurnOptions,
): Promise<Reply> {
  const { stream, rejoinable, abort } = turn;
  const stopListening = exchange.inbound.onLeave(() => turn.leave("client"));
  const items = turn.chunks;
  const first = items.next();
  // Whoever reads on gets it; until then nobody may have asked.
  first.catch(() => {});
  // Where the client carries the state there is never one, and it may take to the end to learn that.
  const turnId = await Promise.race([stream.turnId(), first.then(nothing), ...(carried ? [undefined] : [])]);
  if (turnId === undefined) await refusal(first);
  stopListening();
  return streamReply(
    {
      items,
      first,
      headers: turnHeader(turnId),
      client: { kind: "turn", rejoinable, abort },
      comments: false,
      turnId,
      frame: ({ chunk, position }) => messageFrame(chunk, position),
      last: async () => resultFrame(await stream.output()),
      leave: turn.leave,
    },
    exchange,
    services,
    release,
  );
}

/** Without an id, the call may have been refused before there was a turn: then this rejects. It is known by now. */
async function refusal(first: Promise<unknown>): Promise<void> {
  await Promise.race([first, new Promise((resolve) => setTimeout(resolve, 0))]);
}

function nothing(): undefined {}

function turnHeader(turnId: string | undefined): Record<string, string> {
  return turnId === undefined ? {} : { [HEADERS.turnId]: turnId };
}
