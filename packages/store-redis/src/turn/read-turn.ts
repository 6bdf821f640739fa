import type { Caller, ReadAt, TurnStore } from "@agents/schema/port";
import type { StoreContext } from "../context/store-context.ts";
import type { Address } from "../record/key-space.ts";
import { knownArg, ownerArg } from "../record/script-args.ts";
import { toChain, toTurnMeta } from "../record/script-reply.ts";
import { toLetters } from "../record/status-letter.ts";

export interface Reading {
  readonly at: ReadAt;
  readonly want: Parameters<TurnStore["read"]>[2];
}

export async function readTurn(
  store: StoreContext,
  caller: Caller,
  { at, want }: Reading,
): ReturnType<TurnStore["read"]> {
  const address = addressOf(store, caller, at);
  if (address === undefined) return undefined;
  const where = "snapshotId" in at ? ["turn", at.snapshotId, ""] : ["session", at.sessionId, toLetters(at.among)];
  const what = want === "meta" ? ["meta", ","] : ["chain", knownArg(want.known)];
  const args = [ownerArg(caller), ...where, ...what];
  const [type, meta, held, rows] = await store.run("read", [address.key, address.index], args);
  if (type === "unknown") return undefined;
  const turn = toTurnMeta(meta);
  return want === "meta" ? { turn } : { turn, chain: toChain(held, rows) };
}

function addressOf(store: StoreContext, { scope }: Caller, at: ReadAt): Address | undefined {
  return "snapshotId" in at ? store.keys.ofSnapshot(scope, at.snapshotId) : store.keys.ofSession(scope, at.sessionId);
}
