import type { AgentChunk, AgentOutput } from "@agents/schema/agent";
import { applyPatch, type PatchOperation } from "@agents/schema/patch";
import type { AgentConnection, AgentStream, PositionedChunk } from "@agents/schema/port";
import type { Invocation } from "./start-invocation.ts";
import { textInput } from "./text-input.ts";

/** An invocation of one input. */
export function agentStream<Custom, Status>({
  connection,
  firstTurn,
}: Invocation<Custom, Status>): AgentStream<Custom, Status> {
  return {
    [Symbol.asyncIterator]: () => chunksOf(connection.receive())[Symbol.asyncIterator](),
    positioned: () => connection.receive(),
    turnId: () => firstTurn.id(),
    output: () => connection.output(),
  };
}

/** An invocation of any number of inputs. */
export function agentConnection<Custom, Status>(
  { connection }: Invocation<Custom, Status>,
  start: Custom | undefined,
): AgentConnection<Custom, Status> {
  let custom: unknown = start;
  const track = ({ customPatch }: AgentChunk<Status>): void => {
    if (customPatch !== undefined) custom = applyPatch(custom, customPatch as PatchOperation[]);
  };
  const isEnd = ({ chunk }: PositionedChunk<Status>): boolean => chunk.turnEnd !== undefined;
  const detach = async (): Promise<AgentOutput<Custom>> => {
    const sent = connection.send({ detach: true });
    connection.close();
    // The output may be there before the channel has taken the wish, which is then refused; any other refusal counts.
    await sent.catch((error: unknown) => {
      if (!connection.done) throw error;
    });
    return connection.output();
  };
  return {
    async send(input) {
      const sent = connection.send(input);
      // Whoever leaves has nothing more to say. What is no input was refused.
      if (input?.detach === true) connection.close();
      await sent;
    },
    sendText: (text) => connection.send(textInput(text)),
    sendResume: (resume) => connection.send({ resume }),
    detach,
    close: () => connection.close(),
    receive: () => chunksOf(connection.receive(), track),
    receiveTurn: () => chunksOf(connection.receiveUntil(isEnd), track),
    positioned: () => tracked(connection.receive(), track),
    get custom() {
      return custom as Custom | undefined;
    },
    output: () => connection.output(),
    get done() {
      return connection.done;
    },
  };
}

/** With their positions, and seen on the way. */
function tracked<Status>(
  positioned: AsyncIterable<PositionedChunk<Status>>,
  seen: (chunk: AgentChunk<Status>) => void,
): AsyncIterable<PositionedChunk<Status>> {
  return {
    [Symbol.asyncIterator]() {
      const reader = positioned[Symbol.asyncIterator]();
      return {
        async next() {
          const result = await reader.next();
          if (!result.done) seen(result.value.chunk);
          return result;
        },
        async return() {
          await reader.return?.();
          return { value: undefined, done: true };
        },
      };
    },
  };
}

/** Without their positions. */
function chunksOf<Status>(
  positioned: AsyncIterable<PositionedChunk<Status>>,
  seen?: (chunk: AgentChunk<Status>) => void,
): AsyncIterable<AgentChunk<Status>> {
  return {
    [Symbol.asyncIterator]() {
      const reader = positioned[Symbol.asyncIterator]();
      const bare = (result: IteratorResult<PositionedChunk<Status>>): IteratorResult<AgentChunk<Status>> => {
        if (result.done) return { value: undefined, done: true };
        const { chunk } = result.value;
        seen?.(chunk);
        return { value: chunk, done: false };
      };
      return {
        next: () => reader.next().then(bare),
        return: async () => {
          await reader.return?.();
          return { value: undefined, done: true };
        },
      };
    },
  };
}
