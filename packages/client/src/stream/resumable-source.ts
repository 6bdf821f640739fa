import type { CallOptions } from "@agents/schema/port";
import { snapshotOutput } from "../snapshot/snapshot-output.ts";
import { joinTurn } from "./follow-turn.ts";
import type { JoinState } from "./join-state.ts";
import type { RemoteCalls } from "./remote-calls.ts";
import { TurnSource } from "./turn-source.ts";

/** A turn's entries and its output: that of its stream, or, where the stream was lost, that of its snapshot. */
export function resumableSource<Custom, Status>(
  calls: RemoteCalls<Custom>,
  state: JoinState,
  context: CallOptions["context"] | undefined,
): TurnSource<Custom, Status> {
  const { settings, snapshots } = calls;
  return new TurnSource<Custom, Status>(
    settings,
    {
      join: (at, how) => joinTurn(calls, at, { context, ...how }),
      settle: async ({ turnId }, signal) =>
        snapshotOutput(await snapshots.getSnapshot(turnId as string, { ...(context && { context }), signal })),
    },
    state,
  );
}
