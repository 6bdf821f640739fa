import { AgentError } from "@agents/schema/error";
import type { Caller, ClaimResult } from "@agents/schema/port";
import { readStatus } from "./summarize-turn.ts";
import type { TurnDesk } from "./turn-desk.ts";
import { untilAnswered } from "./until-answered.ts";

export type Claimed = Extract<ClaimResult, { type: "claimed" }>;

/**
 * Takes over a turn whose worker is gone. Throws NOT_FOUND, and FAILED_PRECONDITION for a turn that is live elsewhere or
 * has ended: nothing was changed then.
 */
export async function claimTurn(desk: TurnDesk, caller: Caller, snapshotId: string): Promise<Claimed> {
  const { store, clock, ids, expiryMs, rules } = desk;
  const request = { writer: ids.uuid(), leaseMs: expiryMs, known: [] };
  const before = await store.turns.read(caller, { snapshotId }, "meta");
  const mine = before?.turn.agent === rules.agent;
  const answer: ClaimResult = mine
    ? await untilAnswered(() => store.turns.claim(caller, snapshotId, request), { clock, forMs: expiryMs })
    : { type: "notFound" };
  switch (answer.type) {
    case "claimed":
      return answer;
    case "refused":
      throw new AgentError(
        "FAILED_PRECONDITION",
        `Turn ${snapshotId} is ${readStatus(answer.turn)}; only an expired turn can be retried.`,
        { details: { snapshotId, status: readStatus(answer.turn) } },
      );
    case "notFound":
      throw new AgentError("NOT_FOUND", `Turn ${snapshotId} is not there.`, { details: { snapshotId } });
  }
}
