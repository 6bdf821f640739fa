import type { Caller, ClaimRequest, ClaimResult } from "@agents/schema/port";
import type { StoreContext } from "../context/store-context.ts";
import { knownArg, ownerArg } from "../record/script-args.ts";
import { toChain, toTurnMeta } from "../record/script-reply.ts";

export async function claimTurn(
  store: StoreContext,
  caller: Caller,
  { snapshotId, writer, leaseMs, known }: ClaimRequest & { readonly snapshotId: string },
): Promise<ClaimResult> {
  const address = store.keys.ofSnapshot(caller.scope, snapshotId);
  if (address === undefined) return { type: "notFound" };
  const args = [ownerArg(caller), snapshotId, writer, String(leaseMs), knownArg(known)];
  const [type, meta, input, held, rows] = await store.run("claim", [address.key, address.index], args);
  if (type === "notFound") return { type };
  const turn = toTurnMeta(meta);
  if (type === "refused") return { type, turn };
  const { sessionId, epoch } = turn;
  const lease = { snapshotId, sessionId, epoch };
  return { type: "claimed", lease, turn, input: String(input ?? ""), chain: toChain(held, rows) };
}
