import type { AgentOutput } from "@agents/schema/agent";
import type { CallOptions } from "@agents/schema/port";
import { AGENT_PATHS, fillPath } from "@agents/schema/route";
import { snapshotOutput } from "../snapshot/snapshot-output.ts";
import { type OpenedStream, openStream } from "../transport/open-stream.ts";
import type { Entry } from "./entry.ts";
import { type JoinState, UNJOINED } from "./join-state.ts";
import type { RemoteCalls } from "./remote-calls.ts";
import { type ConnectHow, TurnSource } from "./turn-source.ts";

export interface FollowOptions extends CallOptions {
  /** Goes on behind this position. @default the turn's beginning */
  readonly after?: string;
  /** Sees each entry before it is given out. */
  readonly onEntry?: (entry: Entry) => void;
}

/** A turn's entries from a position on, over as many connections as it takes. Each loop begins there anew. */
export function followTurn<Custom, Status>(
  calls: RemoteCalls<Custom>,
  turnId: string,
  { after, context, signal, onEntry }: FollowOptions = {},
): AsyncIterable<Entry<Status>> {
  return {
    [Symbol.asyncIterator]() {
      const source = followSource<Custom, Status>(calls, { turnId, position: after, context });
      const abort = (): void => source.fail(signal?.reason);
      if (signal?.aborted) abort();
      else signal?.addEventListener("abort", abort, { once: true });
      const leave = (): void => {
        source.pause();
        signal?.removeEventListener("abort", abort);
      };
      let left = false;
      return {
        async next(): Promise<IteratorResult<Entry<Status>, undefined>> {
          const pulled = left ? undefined : await source.next();
          if (pulled?.type === "entry") {
            onEntry?.(pulled.entry);
            return { value: pulled.entry, done: false };
          }
          leave();
          return { value: undefined, done: true };
        },
        async return() {
          left = true;
          leave();
          return { value: undefined, done: true };
        },
      };
    },
  };
}

/** A source for a turn that somebody else started. */
function followSource<Custom, Status>(
  calls: RemoteCalls<Custom>,
  at: Pick<JoinState, "turnId" | "position"> & { readonly context: CallOptions["context"] | undefined },
): TurnSource<Custom, Status> {
  const { turnId, position, context } = at;
  const { snapshots } = calls;
  return new TurnSource<Custom, Status>(
    calls.settings,
    {
      join: (state, how) => joinTurn(calls, state, { context, ...how }),
      async settle(state, signal) {
        // Who follows wants the entries alone, and has them when the last was the turn's end.
        if (state.over) return FOLLOWED as AgentOutput<Custom>;
        return snapshotOutput(await snapshots.getSnapshot(turnId as string, { ...(context && { context }), signal }));
      },
    },
    { ...UNJOINED, turnId, position, joined: true },
  );
}

const FOLLOWED = { sessionId: "", finishReason: "unknown" } as const satisfies AgentOutput;

export interface JoinHow extends ConnectHow {
  readonly context: CallOptions["context"] | undefined;
}

/** Asks once for what comes behind a reader's position. */
export function joinTurn<Custom>(
  { settings, name }: RemoteCalls<Custom>,
  { turnId = "", position }: JoinState,
  how: JoinHow,
): Promise<OpenedStream> {
  return openStream(settings, {
    method: "GET",
    path: fillPath(AGENT_PATHS.followTurn, { name, turnId }),
    lastEventId: position,
    answerMs: settings.patience.callMs,
    ...how,
  });
}
