import type { Caller, Page, PageOf, TurnMeta } from "@agents/schema/port";
import type { StoreContext } from "../context/store-context.ts";
import { CursorSeal } from "../record/page-cursor.ts";
import { refuseBadLimit } from "../record/page-limit.ts";
import { ownerArg } from "../record/script-args.ts";
import { toList, toTurnMeta } from "../record/script-reply.ts";

export async function listTurns(
  store: StoreContext,
  caller: Caller,
  { sessionId, cursor, limit }: Page & { readonly sessionId: string },
): Promise<PageOf<TurnMeta>> {
  refuseBadLimit(limit);
  const seal = new CursorSeal((await store.opened()).seal);
  const list = ["turns", caller.scope, sessionId];
  const before = cursor === undefined ? Number.MAX_SAFE_INTEGER : seal.read(list, cursor).order;
  const { key, index } = store.keys.ofSession(caller.scope, sessionId);
  // One more than the page tells whether there is another.
  const args = [ownerArg(caller), sessionId, String(before - 1), String(limit + 1)];
  const [, metas] = await store.run("listTurns", [key, index], args);
  const turns = toList(metas).map(toTurnMeta);
  const items = turns.slice(0, limit);
  const last = items.at(-1);
  if (last === undefined || turns.length <= limit) return { items };
  return { items, cursor: seal.make(list, { order: last.ordinal, name: "" }) };
}
