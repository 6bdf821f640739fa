import { AgentError } from "@agents/schema/error";
import type { Caller, Fenced, Lease, SettleRequest } from "@agents/schema/port";
import type { StoreContext } from "../context/store-context.ts";
import { outcomeArgs, ownerArg, packedOutcome } from "../record/script-args.ts";
import { toLetters } from "../record/status-letter.ts";
import { toFenced } from "./to-fenced.ts";

export interface Settlement {
  readonly lease: Lease;
  readonly request: SettleRequest;
}

export async function settleTurn(store: StoreContext, caller: Caller, { lease, request }: Settlement): Promise<Fenced> {
  const { snapshotId, sessionId, epoch } = lease;
  const address = store.keys.ofSnapshot(caller.scope, snapshotId);
  if (address === undefined) return { ok: false };
  refuseIllegalMove(snapshotId, request);
  const args = [
    ownerArg(caller),
    snapshotId,
    sessionId,
    String(epoch),
    toLetters(request.heads),
    packedOutcome(request.aborting),
    ...outcomeArgs(request.pending),
  ];
  if (store.hasSteps) await store.step("settle:before-send");
  const reply = await store.run("settle", [address.key, address.index], args);
  if (store.hasSteps) await store.step("settle:answered");
  return toFenced(reply);
}

/** The types say so; a caller without them must not get a row that ends twice. */
function refuseIllegalMove(snapshotId: string, { aborting }: SettleRequest): void {
  if (aborting.status === "aborted") return;
  throw new AgentError(
    "INVALID_ARGUMENT",
    `Snapshot ${snapshotId} is to become ${String(aborting.status)} if it is aborting; it can only become aborted.`,
    { details: { snapshotId, outcome: String(aborting.status) } },
  );
}
