import { makeSnapshotId, sessionRoute, snapshotRoute } from "@agents/schema/hash";
import type { BeginRequest, BeginResult, Caller, Clock } from "@agents/schema/port";
import type { HeldState } from "../snapshot/state-cache.ts";
import { type BeginRefusal, beginRefusal } from "./begin-refusal.ts";
import { closeBegun } from "./close-begun.ts";
import { createEventWriter } from "./event-text.ts";
import type { Concurrency, TurnDesk } from "./turn-desk.ts";
import type { TurnOrigin } from "./turn-origin.ts";
import { untilAnswered } from "./until-answered.ts";

export interface BeginTurnOptions {
  readonly origin: TurnOrigin;
  /** The turn's id, from `newTurnId`. */
  readonly snapshotId: string;
  /** As JSON text: what a process that takes the turn over would run. */
  readonly input: string;
  readonly turnIndex: number;
  /** The input as clients may see it, as JSON text: part of the first event. */
  readonly shownInput: string;
  readonly concurrency: Exclude<Concurrency, "queue">;
  /** Asked for only where something has to wait: a signal costs as much as a begin. */
  readonly signal: () => AbortSignal;
}

export interface Begun extends Extract<BeginResult, { type: "begun" }> {
  /** What the store was told that this process holds. */
  readonly held: HeldState | undefined;
}

/** The id of a turn to be: it says where the session lives, so a branch takes its parent's route. */
export function newTurnId({ ids }: TurnDesk, origin: TurnOrigin): string | undefined {
  const route = origin.type === "session" ? sessionRoute(origin.sessionId) : snapshotRoute(origin.snapshotId);
  return route === undefined ? undefined : makeSnapshotId(route, ids.uuid());
}

/** Reserves the row of a turn: one round trip, repeated if its answer is lost. */
export async function beginTurn(
  desk: TurnDesk,
  caller: Caller,
  options: BeginTurnOptions,
): Promise<Begun | BeginRefusal> {
  const { store, clock, expiryMs } = desk;
  const held = heldFor(desk, caller, options.origin);
  const request = beginRequest(desk, options, held);
  const patience = { clock, forMs: expiryMs, signal: options.signal };
  let answer: BeginResult;
  try {
    answer = await untilAnswered(() => store.turns.begin(caller, request), patience);
  } catch (error) {
    const { snapshotId, origin } = options;
    if (origin.sessionId !== undefined) closeBegun(desk, caller, { snapshotId, sessionId: origin.sessionId });
    throw error;
  }
  if (answer.type !== "begun") return beginRefusal(desk, options.origin, answer);
  // The turn that was interrupted may run right here.
  if (answer.interrupted !== undefined) desk.live.find(caller, answer.interrupted)?.abort();
  return { held, ...answer };
}

/** The state that the turn most likely starts from, if this process still has it. */
function heldFor({ cache }: TurnDesk, { scope }: Caller, origin: TurnOrigin): HeldState | undefined {
  return origin.type === "branch" ? cache.get(scope, origin.snapshotId) : cache.newestOf(scope, origin.sessionId);
}

function beginRequest(desk: TurnDesk, options: BeginTurnOptions, held: HeldState | undefined): BeginRequest {
  const { store, rules, clock, expiryMs } = desk;
  const { snapshotId, input } = options;
  return {
    snapshotId,
    agent: rules.agent,
    from: beginFrom(desk, options),
    resumable: rules.resumable,
    // Made anew for each attempt, as a writer's token has to be.
    writer: snapshotId,
    input,
    leaseMs: expiryMs,
    known: held === undefined ? [] : [held.snapshotId],
    events: { firstSeq: 1, events: store.events === undefined ? [] : [startedEvent(options, clock)] },
    lost: desk.closing,
  };
}

/** Around the text of the input, which is there already. */
function startedEvent({ snapshotId, turnIndex, shownInput }: BeginTurnOptions, clock: Clock): string {
  const data = `{"turnIndex":${turnIndex},"input":${shownInput}}`;
  return createEventWriter(snapshotId, clock).fromText(1, "turn.started", data);
}

function beginFrom({ rules }: TurnDesk, { origin, concurrency }: BeginTurnOptions): BeginRequest["from"] {
  const { sessionId } = origin;
  if (origin.type === "session")
    return { sessionId: origin.sessionId, create: true, ifActive: concurrency, ifForked: rules.ifForked };
  return { snapshotId: origin.snapshotId, ...(sessionId === undefined ? {} : { sessionId }) };
}
