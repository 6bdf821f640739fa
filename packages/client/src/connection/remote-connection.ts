import type { AgentChunk, AgentInput, AgentOutput } from "@agents/schema/agent";
import type { AgentConnection, PositionedChunk } from "@agents/schema/port";
import { CustomTracker } from "../state/custom-tracker.ts";
import { ChunkReader } from "../stream/chunk-reader.ts";
import type { Entry } from "../stream/entry.ts";
import type { RemoteCalls, RemoteTurnOptions } from "../stream/remote-calls.ts";
import { textInput } from "../stream/text-input.ts";
import { SocketInvocation } from "./socket-invocation.ts";

/**
 * One invocation over a WebSocket. When the socket is lost, the turn in flight is joined again over HTTP and nothing can be
 * sent any more; what cannot be had that way (an input that had no turn yet) ends the connection with UNAVAILABLE.
 */
export interface RemoteConnection<Custom = unknown, Status = unknown> extends AgentConnection<Custom, Status> {
  /** Stops the turn that runs. The output then says how it ended. */
  abort(): Promise<void>;
  /** The same chunks as `receive`, with their positions. */
  positioned(): AsyncIterable<PositionedChunk<Status>>;
}

/** Opens a connection at once. Never throws: what is wrong with it is what its output rejects with. */
export function openConnection<Custom, Status>(
  calls: RemoteCalls<Custom>,
  options: RemoteTurnOptions<Custom>,
): RemoteConnection<Custom, Status> {
  const invocation = new SocketInvocation<Custom, Status>(calls, options);
  const custom = new CustomTracker<Custom>(options.state?.custom);
  const shown = { count: 0 };

  /** Custom state that went astray is taken from the turn's snapshot, before its end is shown. */
  async function see(chunk: AgentChunk<Status>): Promise<void> {
    custom.see(chunk);
    if (chunk.turnEnd === undefined) return;
    // What was shown of a turn that has ended stays.
    shown.count = 0;
    const { snapshotId } = chunk.turnEnd;
    if (!custom.stale || snapshotId === undefined) return;
    const { context } = options;
    const snapshot = await calls.snapshots.getSnapshot(snapshotId, context && { context }).catch(() => undefined);
    if (snapshot?.state !== undefined) custom.rebase(snapshot.state.custom);
  }

  function read<Value>(
    show: (positioned: PositionedChunk<Status>) => Value,
    last?: (entry: Entry<Status>) => boolean,
  ): AsyncIterable<Value> {
    return {
      [Symbol.asyncIterator]() {
        const entries = { [Symbol.asyncIterator]: () => invocation.buffer.values(last) };
        const reader = new ChunkReader<Status>(entries, { shown, turnId: () => invocation.turnId });
        return {
          async next() {
            const { value, done } = await reader.next();
            if (done) return { value: undefined, done };
            await see(value.chunk);
            return { value: show(value), done: false };
          },
          async return() {
            await reader.return();
            return { value: undefined, done: true };
          },
        };
      },
    };
  }

  const send = (input: AgentInput): Promise<void> => invocation.send(input);
  const output = (): Promise<AgentOutput<Custom>> => {
    invocation.close();
    invocation.buffer.drain();
    return invocation.output;
  };

  return {
    send,
    sendText: (text) => send(textInput(text)),
    sendResume: (resume) => send({ resume }),
    async detach() {
      await send({ detach: true }).catch((error: unknown) => {
        // The output may be there before the wish was sent; any other refusal counts.
        if (!invocation.done) throw error;
      });
      return output();
    },
    abort: () => invocation.abort(),
    close: () => invocation.close(),
    receive: () => read(({ chunk }) => chunk),
    receiveTurn: () => read(({ chunk }) => chunk, isTurnEnd),
    positioned: () => read((positioned) => positioned),
    output,
    get custom() {
      return custom.value;
    },
    get done() {
      return invocation.done;
    },
  };
}

function isTurnEnd(entry: Entry): boolean {
  return "chunk" in entry && entry.chunk.turnEnd !== undefined;
}
