import type { Caller, TurnStore } from "@agents/schema/port";
import type { StoreContext } from "../context/store-context.ts";
import { ownerArg, packedClosing } from "../record/script-args.ts";
import { toTurnMeta } from "../record/script-reply.ts";
import { toLetters } from "../record/status-letter.ts";

export type StaleEnd = Parameters<TurnStore["requestAbort"]>[2];

export async function abortTurn(
  store: StoreContext,
  caller: Caller,
  { snapshotId, outcome, heads }: StaleEnd & { readonly snapshotId: string },
): ReturnType<TurnStore["requestAbort"]> {
  const address = store.keys.ofSnapshot(caller.scope, snapshotId);
  if (address === undefined) return undefined;
  const args = [ownerArg(caller), snapshotId, toLetters(heads), packedClosing(outcome)];
  const [type, before, after] = await store.run("abort", [address.key, address.index], args);
  return type === "unknown" ? undefined : { before: toTurnMeta(before), after: toTurnMeta(after) };
}
