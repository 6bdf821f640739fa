import type { AbortResult, ListSnapshotsRequest, Snapshot, SnapshotPage } from "@agents/schema/agent";
import { AgentError } from "@agents/schema/error";
import type { AgentApi, CallOptions } from "@agents/schema/port";
import { AGENT_PATHS, fillPath } from "@agents/schema/route";
import { wait } from "../clock/wait.ts";
import { backoffMs } from "../transport/backoff.ts";
import { type CallRequest, call } from "../transport/call.ts";
import type { Settings } from "../transport/settings.ts";

export type SnapshotCalls<Custom> = Pick<
  AgentApi<Custom>,
  "getSnapshot" | "getLatestSnapshot" | "listSnapshots" | "waitForSnapshot" | "abort"
>;

/** A long poll that is answered sooner than this did not wait. */
const QUICK_MS = 1_000;
/** How much longer than its long poll a request may take on its way. */
const ON_THE_WAY_MS = 10_000;

/** What can be asked of an agent's snapshots. All of it may be repeated, so a lost answer is asked for again. */
export function createSnapshotCalls<Custom>(settings: Settings, name: string): SnapshotCalls<Custom> {
  const { clock, patience, backoff, random } = settings;

  async function ask<Result>(
    route: "getSnapshot" | "listSnapshots" | "waitForSnapshot" | "abort",
    data: unknown,
    options: CallOptions & Pick<CallRequest, "callMs" | "accepted">,
  ): Promise<Result> {
    options.signal?.throwIfAborted();
    const path = fillPath(AGENT_PATHS[route], { name });
    return (await call<{ result: Result }>(settings, { ...options, path, body: { data } })).result;
  }

  return {
    getSnapshot: (snapshotId, { sessionId, ...options } = {}) =>
      ask<Snapshot<Custom>>("getSnapshot", { snapshotId, sessionId }, options),
    getLatestSnapshot: (sessionId, options = {}) => ask<Snapshot<Custom>>("getSnapshot", { sessionId }, options),
    listSnapshots: (request: ListSnapshotsRequest, options = {}) =>
      ask<SnapshotPage>("listSnapshots", request, options),
    abort: (snapshotId, options = {}) => ask<AbortResult>("abort", { snapshotId }, options),

    async waitForSnapshot(snapshotId, { timeoutMs, ...options } = {}) {
      const until = timeoutMs === undefined ? Number.POSITIVE_INFINITY : clock.now() + timeoutMs;
      const leave = options.signal ?? new AbortController().signal;
      for (let quick = 0; ; ) {
        const start = clock.now();
        const pollMs = Math.max(0, Math.min(patience.longPollMs, until - start));
        try {
          const asked = { ...options, callMs: pollMs + ON_THE_WAY_MS, accepted: "DEADLINE_EXCEEDED" } as const;
          return await ask<Snapshot<Custom>>("waitForSnapshot", { snapshotId, timeoutMs: Math.ceil(pollMs) }, asked);
        } catch (error) {
          // The server waited as long as it was asked to, or as long as it lets anybody wait.
          if (!isStillWaiting(error) || clock.now() >= until) throw error;
        }
        // One that does not wait at all is not asked in a tight loop.
        quick = clock.now() - start < QUICK_MS ? quick + 1 : 0;
        if (quick > 0) await wait(clock, Math.min(backoffMs(backoff, quick, random), until - clock.now()), leave);
        leave.throwIfAborted();
      }
    },
  };
}

function isStillWaiting(error: unknown): boolean {
  return AgentError.is(error) && error.status === "DEADLINE_EXCEEDED";
}
