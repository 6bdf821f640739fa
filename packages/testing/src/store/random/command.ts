import fc from "fast-check";

/** One thing that a runtime may do next. Numbers pick one of what there is by then, so that every sequence makes sense. */
export type Command =
  | {
      readonly type: "send";
      readonly session: number;
      readonly ifActive: "reject" | "interrupt" | "fork";
      readonly ifForked: "newest" | "reject";
      readonly create: boolean;
      readonly events: number;
    }
  | { readonly type: "branch"; readonly turn: number; readonly claimedSession: "none" | "own" | "other" }
  | { readonly type: "beginAgain"; readonly turn: number; readonly fingerprint: string }
  | {
      readonly type: "settle";
      readonly lease: number;
      readonly epochOff: number;
      readonly status: "completed" | "failed" | "aborted";
      readonly content: "full" | "patch" | "none";
      readonly events: number;
      readonly declined: boolean;
    }
  | { readonly type: "repeatBegin" }
  | { readonly type: "repeatClaim" }
  | { readonly type: "settleAgain" }
  | { readonly type: "abort"; readonly turn: number }
  | { readonly type: "heartbeat"; readonly leases: readonly number[]; readonly epochOff: number }
  | {
      readonly type: "append";
      readonly lease: number;
      readonly epochOff: number;
      readonly events: number;
      readonly gap: boolean;
      readonly progress: boolean;
    }
  | { readonly type: "appendAgain" }
  | { readonly type: "claim"; readonly turn: number }
  | { readonly type: "advance"; readonly ms: number }
  | { readonly type: "create"; readonly session: number; readonly fingerprint: string }
  | {
      readonly type: "update";
      readonly session: number;
      readonly state: "active" | "archived" | "same";
      readonly rename: boolean;
    }
  | { readonly type: "delete"; readonly session: number }
  | { readonly type: "read"; readonly turn: number; readonly known: readonly number[] };

/** Few sessions, so that turns meet. */
export const SESSIONS = 3;

const pick = fc.nat({ max: 30 });
const session = fc.nat({ max: SESSIONS - 1 });
/** Mostly the right one. */
const epochOff = fc.oneof({ weight: 8, arbitrary: fc.constant(0) }, fc.constantFrom(-1, 1));
const rarely = fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, fc.constant(true));

function command<Type extends Command["type"]>(
  type: Type,
  fields: {
    [Key in Exclude<keyof Extract<Command, { type: Type }>, "type">]: fc.Arbitrary<
      Extract<Command, { type: Type }>[Key]
    >;
  },
): fc.Arbitrary<Command> {
  return fc.record({ type: fc.constant(type), ...fields }) as unknown as fc.Arbitrary<Command>;
}

/** Any command. Without a clock that can be moved, none that waits for a lease to run out; without index, none of it. */
export function anyCommand(can: {
  readonly advance: boolean;
  readonly events: boolean;
  readonly index: boolean;
}): fc.Arbitrary<Command> {
  const events = can.events ? fc.nat({ max: 3 }) : fc.constant(0);
  const ifActive = fc.constantFrom("reject", "reject", "interrupt", "fork" as const);
  const ifForked = fc.constantFrom("newest", "newest", "reject" as const);
  const arbitraries: fc.WeightedArbitrary<Command>[] = [
    { weight: 8, arbitrary: command("send", { session, ifActive, ifForked, create: rarely.map((no) => !no), events }) },
    {
      weight: 3,
      arbitrary: command("branch", { turn: pick, claimedSession: fc.constantFrom("none", "own", "own", "other") }),
    },
    { weight: 1, arbitrary: command("beginAgain", { turn: pick, fingerprint: fc.constantFrom("same", "other") }) },
    {
      weight: 10,
      arbitrary: command("settle", {
        lease: pick,
        epochOff,
        status: fc.constantFrom("completed", "completed", "failed", "aborted"),
        content: fc.constantFrom("full", "patch", "patch", "none"),
        events,
        declined: rarely,
      }),
    },
    { weight: 1, arbitrary: command("repeatBegin", {}) },
    { weight: 1, arbitrary: command("repeatClaim", {}) },
    { weight: 2, arbitrary: command("settleAgain", {}) },
    { weight: 4, arbitrary: command("abort", { turn: pick }) },
    {
      weight: 2,
      arbitrary: command("heartbeat", { leases: fc.array(pick, { minLength: 1, maxLength: 3 }), epochOff }),
    },
    { weight: 3, arbitrary: command("claim", { turn: pick }) },
    { weight: 2, arbitrary: command("read", { turn: pick, known: fc.array(pick, { maxLength: 3 }) }) },
  ];
  if (can.events) {
    arbitraries.push(
      { weight: 4, arbitrary: command("append", { lease: pick, epochOff, events, gap: rarely, progress: rarely }) },
      { weight: 1, arbitrary: command("appendAgain", {}) },
    );
  }
  if (can.index) {
    arbitraries.push(
      { weight: 1, arbitrary: command("create", { session, fingerprint: fc.constantFrom("a", "b") }) },
      {
        weight: 2,
        arbitrary: command("update", {
          session,
          state: fc.constantFrom("active", "active", "archived", "same"),
          rename: fc.boolean(),
        }),
      },
      { weight: 1, arbitrary: command("delete", { session }) },
    );
  }
  // Leases are a minute. No sum of these comes near to it, so real time that passes meanwhile decides nothing.
  if (can.advance)
    arbitraries.push({ weight: 5, arbitrary: command("advance", { ms: fc.constantFrom(18_000, 90_000) }) });
  return fc.oneof(...arbitraries);
}
