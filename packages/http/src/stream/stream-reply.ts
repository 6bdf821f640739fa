import { AgentError } from "@agents/schema/error";
import type { Clock } from "@agents/schema/port";
import type { ErrorDesk } from "../edge/error-desk.ts";
import type { Exchange } from "../edge/exchange.ts";
import type { FrameSink, Reply } from "../edge/reply.ts";
import type { Client, Work } from "../presence/work.ts";
import { errorFrame, KEEPALIVE, STREAM_HEADERS } from "./sse-frame-text.ts";

/** What is streamed to a client. */
export interface StreamJob<Item> {
  readonly items: AsyncIterator<Item>;
  /** The first item, where it was asked for already. */
  readonly first?: Promise<IteratorResult<Item, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly client: Pick<Client, "kind" | "rejoinable" | "abort">;
  /** Whether comments may keep the connection alive; older clients of the POST routes do not know any. */
  readonly comments: boolean;
  /** For the error of a stream that the server has to end: where to go on. */
  readonly turnId?: string | undefined;
  frame(item: Item): string;
  /** The last frame, once the items have ended. Rejects with what the last frame is to say. */
  last(): Promise<string>;
  /** Nobody reads any more. Called at most once, and not after the end. */
  leave(why: "client" | "shutdown"): void;
}

export interface StreamServices {
  readonly errors: ErrorDesk;
  readonly work: Work;
  readonly clock: Clock;
  readonly keepaliveMs: number;
}

/** @param release Called once, when the stream is over. */
export function streamReply<Item>(
  job: StreamJob<Item>,
  exchange: Exchange,
  services: StreamServices,
  release: () => void,
): Reply {
  return {
    status: 200,
    headers: { ...STREAM_HEADERS, ...job.headers },
    body: { write: (sink) => writeStream(job, sink, { exchange, services, release }) },
  };
}

interface Around {
  readonly exchange: Exchange;
  readonly services: StreamServices;
  readonly release: () => void;
}

function writeStream<Item>(
  job: StreamJob<Item>,
  sink: FrameSink,
  { exchange, services, release }: Around,
): Promise<void> {
  const { errors, work } = services;
  return new Promise((resolve) => {
    let over = false;
    const end = (frame?: string): boolean => {
      if (over) return false;
      over = true;
      if (frame !== undefined) void sink.send(frame);
      for (const stop of stops) stop();
      resolve();
      return true;
    };
    const failed = (error: unknown): string => errorFrame(errors.wire(error, exchange));
    const stops = [
      release,
      sink.onLeave(() => {
        if (end()) job.leave("client");
      }),
      work.serve({
        ...job.client,
        interrupt(error) {
          if (end(failed(at(error, job.turnId)))) job.leave("shutdown");
        },
      }),
      ...(job.comments ? [keepAlive(sink, services)] : []),
    ];
    const fail = (error: unknown): void => {
      // After the end it is of no interest how the work went on.
      if (!over) end(failed(error));
    };
    pump(job, sink, () => over)
      .then(async () => {
        if (!over) end(await job.last());
      })
      .catch(fail);
  });
}

async function pump<Item>({ items, first, frame }: StreamJob<Item>, sink: FrameSink, isOver: () => boolean) {
  for (let next = await (first ?? items.next()); !next.done; next = await items.next()) {
    const wait = sink.send(frame(next.value));
    if (wait !== undefined) await wait;
    if (isOver()) return;
  }
}

/** Comments at regular times, unless the reader has not even taken what is there. */
function keepAlive(sink: FrameSink, { clock, keepaliveMs }: StreamServices): () => void {
  let stop = (): void => {};
  let stopped = false;
  const next = (): void => {
    if (stopped) return;
    stop = clock.setTimer(keepaliveMs, () => {
      const wait = sink.send(KEEPALIVE);
      if (wait === undefined) next();
      else void wait.then(next);
    });
  };
  next();
  return () => {
    stopped = true;
    stop();
  };
}

function at(error: AgentError, turnId: string | undefined): AgentError {
  if (turnId === undefined) return error;
  return new AgentError(error.status, error.message, { details: { ...(error.details as object), turnId } });
}
