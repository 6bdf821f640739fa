import type { AgentInput } from "@agents/schema/agent";
import { AGENT_PATHS, fillPath } from "@agents/schema/route";
import { openStream } from "../transport/open-stream.ts";
import { UNJOINED } from "./join-state.ts";
import type { RemoteCalls, RemoteTurnOptions } from "./remote-calls.ts";
import { SourceStream, type StreamHooks } from "./remote-stream.ts";
import { resumableSource } from "./resumable-source.ts";
import type { ConnectHow } from "./turn-source.ts";

/** Sends one input, at once. Never throws: what is wrong with the call is what its output rejects with. */
export function startTurn<Custom, Status>(
  calls: RemoteCalls<Custom>,
  {
    input,
    options,
    hooks = {},
  }: { input: AgentInput; options: RemoteTurnOptions<Custom>; hooks?: StreamHooks<Custom, Status> },
): SourceStream<Custom, Status> {
  const { settings, name, snapshots } = calls;
  const { context, signal, sessionId, snapshotId, state, onTurn } = options;
  const body = { data: input, init: { sessionId, snapshotId, state } };
  const source = resumableSource<Custom, Status>(calls, UNJOINED, context);
  const unanswered = new AbortController();
  const send = (how: ConnectHow) =>
    openStream(settings, {
      method: "POST",
      path: fillPath(AGENT_PATHS.runAgent, { name }),
      body,
      context,
      answerMs: settings.patience.silentTurnMs,
      ...how,
    });
  if (signal?.aborted) source.fail(signal.reason);
  const started = signal?.aborted ? Promise.resolve() : source.start(send, unanswered.signal);
  const stop = (): void => signal?.removeEventListener("abort", abort);
  const stream = new SourceStream(source, started, {
    ...hooks,
    async onOutput(output) {
      stop();
      await hooks.onOutput?.(output);
    },
    onFailure(error) {
      stop();
      hooks.onFailure?.(error);
    },
  });
  signal?.addEventListener("abort", abort, { once: true });
  if (onTurn !== undefined) void started.then(() => source.turnId !== undefined && onTurn(source.turnId));
  return stream;

  /** The caller wants the turn to stop: the server is told so, and its last word is waited for a while. */
  function abort(): void {
    const { clock, patience } = settings;
    const reason = signal?.reason;
    if (source.turnId === undefined) {
      // Not answered yet, or client-managed: then the connection is the turn's life.
      const cancel = clock.setTimer(patience.abortMs, () => unanswered.abort(reason));
      source.fail(reason);
      void started.then(cancel);
    } else {
      const cancel = clock.setTimer(patience.abortMs, () => source.fail(reason));
      stream.output().then(cancel, cancel);
    }
    stream.abandon();
    void started.then(() => {
      const { turnId } = source;
      // Not under the caller's signal, which would end it.
      if (turnId !== undefined) snapshots.abort(turnId, context && { context }).catch(() => {});
    });
  }
}
