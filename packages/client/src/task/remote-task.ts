import type { AbortResult, AgentInput, AgentOutput, Snapshot } from "@agents/schema/agent";
import { AgentError, fromWireError } from "@agents/schema/error";
import type { CallOptions, TurnOptions } from "@agents/schema/port";
import { AGENT_PATHS, fillPath } from "@agents/schema/route";
import { startDeadline } from "../clock/deadline.ts";
import type { Entry } from "../stream/entry.ts";
import { followTurn } from "../stream/follow-turn.ts";
import type { RemoteCalls } from "../stream/remote-calls.ts";
import { call } from "../transport/call.ts";

/** A turn that goes on without this client. */
export interface RemoteTask<Custom = unknown, Status = unknown> {
  /** Also the turn's id: enough to come back to it later, from anywhere. */
  readonly snapshotId: string;
  /** What it does: from its beginning, or behind a position, to its end. */
  events(options?: CallOptions & { readonly after?: string }): AsyncIterable<Entry<Status>>;
  /**
   * Resolves when the turn has ended, also by failure, or has expired: `status` says which. Listens where the server keeps
   * a log, and asks now and then where it does not. Rejects with DEADLINE_EXCEEDED after `timeoutMs`.
   */
  wait(options?: CallOptions & { readonly timeoutMs?: number }): Promise<Snapshot<Custom>>;
  abort(options?: CallOptions): Promise<AbortResult>;
}

export function createTask<Custom, Status>(
  calls: RemoteCalls<Custom>,
  snapshotId: string,
  defaults: CallOptions = {},
): RemoteTask<Custom, Status> {
  const { snapshots, settings } = calls;
  const { context } = defaults;
  /** As far as this task was followed; waiting need not hear it again. */
  let heard: string | undefined;

  const listen = (options: CallOptions & { readonly after?: string }): AsyncIterable<Entry<Status>> =>
    followTurn<Custom, Status>(calls, snapshotId, {
      ...withContext(context),
      ...options,
      onEntry({ position }) {
        heard = position ?? heard;
      },
    });

  return {
    snapshotId,
    events: (options = {}) => listen(options),
    abort: (options = {}) => snapshots.abort(snapshotId, { ...withContext(context), ...options }),
    async wait({ timeoutMs, signal, ...options } = {}) {
      const { clock } = settings;
      const until = timeoutMs === undefined ? undefined : clock.now() + timeoutMs;
      const tooLate = (): AgentError =>
        new AgentError("DEADLINE_EXCEEDED", `Turn ${snapshotId} is still running after ${timeoutMs} ms.`, {
          details: { snapshotId, timeoutMs },
        });
      const ms = timeoutMs ?? Number.POSITIVE_INFINITY;
      const deadline = Number.isFinite(ms) ? startDeadline({ clock, ms, signal, tooLate }) : undefined;
      const ending = deadline?.signal ?? signal;
      const one = { ...withContext(context), ...options, ...(ending && { signal: ending }) };
      try {
        for await (const _ of listen({ ...one, ...(heard !== undefined && { after: heard }) }));
      } catch (error) {
        if (ending?.aborted || !isWorthAsking(error)) throw error;
      } finally {
        deadline?.stop();
      }
      const left = until === undefined ? {} : { timeoutMs: Math.max(0, until - clock.now()) };
      return snapshots.waitForSnapshot(snapshotId, { ...one, ...(signal && { signal }), ...left });
    },
  };
}

/** Starts a turn that goes on without this client. Rejects with what kept it from starting. */
export async function detachTurn<Custom, Status>(
  calls: RemoteCalls<Custom>,
  input: AgentInput,
  options: TurnOptions<Custom>,
): Promise<RemoteTask<Custom, Status>> {
  const { settings, name } = calls;
  const { context, signal, sessionId, snapshotId, state } = options;
  const { result } = await call<{ result: AgentOutput<Custom> }>(settings, {
    path: fillPath(AGENT_PATHS.runAgent, { name }),
    body: { data: { ...input, detach: true }, init: { sessionId, snapshotId, state } },
    // Sent twice it could be done twice.
    attempts: 1,
    ...withContext(context),
    ...(signal && { signal }),
  });
  if (result.error !== undefined) throw fromWireError(result.error);
  if (result.snapshotId === undefined) {
    throw new AgentError("UNKNOWN", `Agent '${name}' answered a detach without naming the turn that goes on.`);
  }
  return createTask(calls, result.snapshotId, withContext(context));
}

function withContext(context: CallOptions["context"] | undefined): CallOptions {
  return context === undefined ? {} : { context };
}

/** The log cannot tell, but the row can: there is no log, or no worker that would write into it. */
function isWorthAsking(error: unknown): boolean {
  if (!AgentError.is(error)) return false;
  if (error.status === "FAILED_PRECONDITION" || error.status === "UNIMPLEMENTED") return true;
  return (error.details as { status?: unknown } | undefined)?.status === "expired";
}
