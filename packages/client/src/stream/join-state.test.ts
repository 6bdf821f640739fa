import { AgentError } from "@agents/schema/error";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Entry } from "./entry.ts";
import { type JoinState, type Loss, onEntry, onLoss, onOpened, UNJOINED } from "./join-state.ts";

const LIMIT = { maxAttempts: 5 };
const cut: Loss = { type: "cut", error: new AgentError("UNAVAILABLE", "cut") };
const closed: Loss = { type: "closed" };
const refused = (status: AgentError["status"]): Loss => ({ type: "refused", error: new AgentError(status, "no") });
const said = (status: AgentError["status"], details?: unknown): Loss => ({
  type: "said",
  error: new AgentError(status, "no", { details }),
});
const chunk = (position?: string): Entry => ({ chunk: { status: 1 }, ...(position && { position }) });
const end: Entry = { chunk: { turnEnd: { finishReason: "stop" } }, position: "1-9" };
const streaming: JoinState = { ...UNJOINED, turnId: "t", position: "1-2", fresh: false };
const stepOf = (state: JoinState, loss: Loss) => onLoss(state, loss, LIMIT).step;

describe("the state of a turn that may have to be joined again", () => {
  it.each<[string, JoinState, Loss, object]>([
    ["a cut is joined again after a wait", streaming, cut, { type: "join", failures: 1 }],
    ["so is a stream that ended without a last word", streaming, closed, { type: "join", failures: 1 }],
    ["and a server that goes down", streaming, said("UNAVAILABLE"), { type: "join", failures: 1 }],
    ["and one that is too busy to be joined", streaming, refused("RESOURCE_EXHAUSTED"), { type: "join", failures: 1 }],
    ["a reader that left is back at once", streaming, { type: "left" }, { type: "join", failures: 0 }],
    ["after turnEnd, the snapshot knows the rest", { ...streaming, over: true }, cut, { type: "settle" }],
    ["an error of the turn's own is the end", streaming, said("INTERNAL"), { type: "fail" }],
    ["so is a worker that is gone", streaming, said("UNAVAILABLE", { status: "expired" }), { type: "fail" }],
    ["and a refusal that will not pass", streaming, refused("NOT_FOUND"), { type: "fail" }],
    ["and the last attempt", { ...streaming, failures: 4 }, cut, { type: "fail", error: { status: "UNAVAILABLE" } }],
    ["without a turn there is nothing to join", UNJOINED, cut, { type: "fail", error: { status: "UNAVAILABLE" } }],
    ["a truncated stream is a loss of data", UNJOINED, closed, { type: "fail", error: { status: "DATA_LOSS" } }],
    ["without a log chunks would come twice", { ...streaming, unlogged: true }, cut, { type: "fail" }],
  ])("%s", (_name, state, loss, step) => {
    expect(stepOf(state, loss)).toMatchObject(step);
  });

  it("takes three joined connections in a row without an entry for the end, and not one", () => {
    let state = streaming;
    for (const step of ["join", "join", "settle"]) {
      state = onOpened(state, { turnId: undefined, joined: true });
      const next = onLoss(state, closed, LIMIT);
      expect(next.step.type).toBe(step);
      state = next.state;
    }
  });

  it("does not give out twice what a server sends twice", () => {
    expect(onEntry(streaming, chunk("1-2")).shown).toBe(false);
    expect(onEntry(streaming, chunk("1-1")).shown).toBe(false);
    expect(onEntry(streaming, chunk("2-1")).shown).toBe(true);
    expect(onEntry({ ...streaming, position: "opaque" }, chunk("other")).shown).toBe(true);
  });
});

const position = fc.tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 20 })).map(([e, s]) => `${e}-${s}`);
type Event = { entry: Entry } | { loss: Loss };
const event: fc.Arbitrary<Event> = fc.oneof(
  fc.record({ entry: fc.oneof(position.map(chunk), position.map(chunk), fc.constantFrom(chunk(), end)) }),
  fc.record({ loss: fc.constantFrom(cut, closed, refused("UNAVAILABLE"), said("UNAVAILABLE")) }),
);

/** A turn's life under these events, as far as it goes; checks each step. */
function live(events: readonly Event[], turnId: string | undefined): string[] {
  let state: JoinState = onOpened(UNJOINED, { turnId, joined: false });
  let lossesInARow = 0;
  const given: string[] = [];
  for (const event of events) {
    if ("entry" in event) {
      const { state: after, shown } = onEntry(state, event.entry);
      if (shown && event.entry.position !== undefined) given.push(event.entry.position);
      if (shown) lossesInARow = 0;
      state = after;
    } else {
      const { state: after, step } = onLoss(state, event.loss, LIMIT);
      expect(++lossesInARow).toBeLessThanOrEqual(LIMIT.maxAttempts);
      if (step.type !== "join") return given;
      expect(after).toMatchObject({ turnId: "t", unlogged: false, over: false, position: state.position });
      state = onOpened(after, { turnId: undefined, joined: true });
    }
  }
  return given;
}

describe("any sequence of entries and losses", () => {
  it("ends after at most so many losses in a row, never joins what it must not, and repeats no position", () => {
    const turnId = fc.constantFrom("t", undefined);
    fc.assert(
      fc.property(fc.array(event, { maxLength: 60 }), turnId, (events, id) => {
        const given = live(events, id).map((position) => position.split("-").map(Number) as [number, number]);
        // Numbers grow within an epoch, so nothing is given out twice while nobody takes the turn over.
        for (const [index, [epoch, seq]] of given.entries()) {
          const [lastEpoch, lastSeq] = given[index - 1] ?? [];
          if (epoch === lastEpoch) expect(seq).toBeGreaterThan(lastSeq as number);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
