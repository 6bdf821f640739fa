import { AgentError } from "@agents/schema/error";
import type { AgentContext } from "@agents/schema/port";
import type * as z from "zod";
import { quietRejection } from "../channel/quiet-rejection.ts";
import type { ActionSchemas, BidiAction, BidiCallOptions } from "./bidi-action.ts";
import { checkGiven, checkMade } from "./check-value.ts";
import { type ConnectionServer, openConnection } from "./open-connection.ts";

/**
 * The first four types are what goes into the schemas, the last four what comes out of them. Given by hand where there
 * are no schemas, the first four suffice.
 */
export interface BidiActionOptions<
  Init,
  In,
  Stream,
  Out,
  InitRead = Init,
  InRead = In,
  StreamRead = Stream,
  OutRead = Out,
> {
  name: string;
  description?: string;
  /** For those who list actions; not looked at here. */
  metadata?: Readonly<Record<string, unknown>>;
  /** Schemas must be synchronous. Without one, the value is passed on unchecked. */
  initSchema?: z.ZodType<InitRead, Init>;
  inputSchema?: z.ZodType<InRead, In>;
  streamSchema?: z.ZodType<StreamRead, Stream>;
  outputSchema?: z.ZodType<OutRead, Out>;
  /** Most inputs, and most chunks, that wait for their reader before senders wait. @default 64 */
  capacity?: number;
  /**
   * Runs an invocation, the check of its output included: the place for a span. Must call `run` once and pass on its
   * result or error.
   */
  around?: <T>(run: () => Promise<T>) => Promise<T>;
}

/** What a handler works with. */
export interface BidiCall<Init, In, Stream> {
  /**
   * Inputs in the order they were sent; ends when the caller closes, throws `signal.reason` when it cancels. Can be left
   * and re-entered. What was taken before the handler returned can still be read afterwards.
   */
  readonly inputs: AsyncIterable<In>;
  /**
   * Streams a chunk; resolves when there is room for more. Not awaited, it still sends at once and in order. Rejects with
   * INTERNAL if the chunk does not fit `streamSchema`; the invocation then fails with that error, whatever the handler
   * returns. After cancellation, `releaseChunks` or the handler's end, chunks are dropped and nobody waits.
   */
  sendChunk(chunk: Stream): Promise<void>;
  /** No chunk reaches the caller from now on, and no `sendChunk` waits: for work that goes on without its reader. */
  releaseChunks(): void;
  readonly init: Init;
  readonly context: AgentContext;
  /** Aborted when the caller cancels. */
  readonly signal: AbortSignal;
}

export type BidiHandler<Init, In, Stream, Out> = (call: BidiCall<Init, In, Stream>) => Promise<Out>;

const DEFAULT_CAPACITY = 64;

/**
 * Defines an action that is not registered anywhere. What the handler throws is what the caller gets, unchanged; an
 * output that does not fit `outputSchema` is INTERNAL, naming the path.
 */
export function defineBidiAction<
  Init = undefined,
  In = unknown,
  Stream = unknown,
  Out = unknown,
  InitRead = Init,
  InRead = In,
  StreamRead = Stream,
  OutRead = Out,
>(
  options: BidiActionOptions<Init, In, Stream, Out, InitRead, InRead, StreamRead, OutRead>,
  handler: BidiHandler<NoInfer<InitRead>, NoInfer<InRead>, NoInfer<Stream>, NoInfer<Out>>,
): BidiAction<Init, In, StreamRead, OutRead> {
  const { name, description, metadata = {}, initSchema, inputSchema, streamSchema, outputSchema } = options;
  const { capacity = DEFAULT_CAPACITY, around = (run) => run() } = options;
  const what = `action ${JSON.stringify(name)}`;

  const acceptInput = (input: In): InRead => checkGiven(inputSchema, input, `input of ${what}`);

  const open = (callOptions: BidiCallOptions<Init> = {}, accepted: InRead[] = []) => {
    const { init, context = {}, signal } = callOptions;
    const startFrom = checkGiven(initSchema, init, `init of ${what}`);
    const serve = (server: ConnectionServer<InRead, StreamRead>): Promise<OutRead> =>
      around(async () => {
        const stream = checkedStream(server, streamSchema, what);
        const output = await handler({
          inputs: server.inputs,
          sendChunk: stream.sendChunk,
          releaseChunks: server.releaseChunks,
          init: startFrom,
          context,
          get signal() {
            return server.signal;
          },
        });
        stream.throwIfBroken();
        return checkMade(outputSchema, output, `output of ${what}`);
      });
    return openConnection({
      what,
      capacity,
      accepted,
      acceptInput,
      serve,
      ...(signal === undefined ? {} : { signal }),
    });
  };

  const openOnce = (input: In, callOptions?: BidiCallOptions<Init>) => {
    if (input === undefined) throw missingInput(what);
    const connection = open(callOptions, [acceptInput(input)]);
    connection.close();
    return connection;
  };

  return {
    name,
    ...(description === undefined ? {} : { description }),
    metadata,
    schemas: schemasOf(options),
    connect: (...[callOptions]) => open(callOptions),
    run: async (input, ...[callOptions]) => openOnce(input, callOptions).output(),
    stream(input, ...[callOptions]) {
      const connection = openOnce(input, callOptions);
      return {
        [Symbol.asyncIterator]: () => connection.receive()[Symbol.asyncIterator](),
        output: () => connection.output(),
        cancel: (reason) => connection.cancel(reason),
      };
    },
  };
}

/** The first chunk that breaks the contract fails the invocation, even if nobody awaited its `sendChunk`. */
function checkedStream<Stream, StreamRead>(
  server: ConnectionServer<unknown, StreamRead>,
  schema: z.ZodType<StreamRead, Stream> | undefined,
  what: string,
) {
  let broken: unknown;
  const checkedSend = (chunk: Stream): Promise<void> => {
    try {
      return server.sendChunk(checkMade(schema, chunk, `chunk of ${what}`));
    } catch (error) {
      broken ??= error;
      return quietRejection(error);
    }
  };
  // Without a schema both sides have one type.
  const sendChunk = schema === undefined ? (server.sendChunk as unknown as typeof checkedSend) : checkedSend;
  return {
    sendChunk,
    throwIfBroken() {
      if (broken !== undefined) throw broken;
    },
  };
}

function missingInput(what: string): AgentError {
  return new AgentError("INVALID_ARGUMENT", `Invalid input of ${what}: it is missing (undefined).`, {
    details: { issues: [{ path: "", message: "is missing" }] },
  });
}

function schemasOf(options: {
  initSchema?: z.ZodType;
  inputSchema?: z.ZodType;
  streamSchema?: z.ZodType;
  outputSchema?: z.ZodType;
}): ActionSchemas {
  const { initSchema, inputSchema, streamSchema, outputSchema } = options;
  return {
    ...(initSchema === undefined ? {} : { init: initSchema }),
    ...(inputSchema === undefined ? {} : { input: inputSchema }),
    ...(streamSchema === undefined ? {} : { stream: streamSchema }),
    ...(outputSchema === undefined ? {} : { output: outputSchema }),
  };
}
