import type { Caller } from "@agents/schema/port";
import type { BeginRefusal } from "./begin-refusal.ts";
import { type BeginTurnOptions, type Begun, beginTurn } from "./begin-turn.ts";
import { openLookout } from "./lookout.ts";
import type { TurnDesk } from "./turn-desk.ts";
import { untilAnswered } from "./until-answered.ts";

/** Sends to one session wait in the order in which they came, one queue per session and process. */
export type TurnQueue = Map<string, Promise<unknown>>;

export type QueuedTurnOptions = Omit<BeginTurnOptions, "concurrency">;

/**
 * Begins a turn by the agent's concurrency rule, or by `ifActive` instead. Waiting for a running turn (`queue`) is done here, in the caller's
 * process: nothing of it is stored, and it ends with the process.
 */
export function queueTurn(
  desk: TurnDesk,
  caller: Caller,
  options: QueuedTurnOptions & { readonly queue: TurnQueue; readonly ifActive?: "reject" | undefined },
): Promise<Begun | BeginRefusal> {
  const { queue, origin, ifActive } = options;
  const concurrency = ifActive ?? desk.rules.concurrency;
  if (concurrency !== "queue") return beginTurn(desk, caller, { concurrency, ...options });
  if (origin.type === "branch") return beginTurn(desk, caller, { concurrency: "reject", ...options });
  const key = `${caller.scope.length}:${caller.scope}${origin.sessionId}`;
  return inOrder(queue, key, () => beginWhenFree(desk, caller, options));
}

async function inOrder<T>(queue: TurnQueue, key: string, run: () => Promise<T>): Promise<T> {
  const before = queue.get(key);
  const mine = before === undefined ? run() : before.then(run, run);
  queue.set(key, mine);
  try {
    return await mine;
  } finally {
    if (queue.get(key) === mine) queue.delete(key);
  }
}

async function beginWhenFree(
  desk: TurnDesk,
  caller: Caller,
  options: QueuedTurnOptions,
): Promise<Begun | BeginRefusal> {
  for (;;) {
    options.signal().throwIfAborted();
    const answer = await beginTurn(desk, caller, { concurrency: "reject", ...options });
    if (answer.type === "begun" || answer.busyId === undefined) return answer;
    await untilFree(desk, caller, answer.busyId, options.signal());
  }
}

/** Until the turn has ended or its worker is gone: then begin closes it. */
async function untilFree(desk: TurnDesk, caller: Caller, snapshotId: string, signal: AbortSignal): Promise<void> {
  const { store, clock, pollMs, expiryMs } = desk;
  const patience = { clock, forMs: expiryMs, signal: () => signal };
  const lookout = await openLookout({ store, caller, snapshotId, clock, pollMs });
  try {
    for (;;) {
      const row = await untilAnswered(() => store.turns.read(caller, { snapshotId }, "meta"), patience);
      if (row === undefined || row.turn.stale) return;
      if (row.turn.status !== "pending" && row.turn.status !== "aborting") return;
      await lookout.again({ signal });
    }
  } finally {
    lookout.stop();
  }
}
