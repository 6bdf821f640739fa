import type { CallerLease, Fenced } from "@agents/schema/port";
import type { StoreContext } from "../context/store-context.ts";
import { ownerArg } from "../record/script-args.ts";
import { toList } from "../record/script-reply.ts";
import { toFenced } from "./to-fenced.ts";

/** Leases in one script, so that none keeps the server from others for long. */
const LEASES_PER_SCRIPT = 100;

/** One script for the leases of each slot, all sent at once: one round trip per node. */
export async function heartbeatTurns(
  store: StoreContext,
  leases: readonly CallerLease[],
  leaseMs: number,
): Promise<readonly Fenced[]> {
  const answers: Fenced[] = leases.map(() => ({ ok: false }));
  await Promise.all(
    groupsOf(store, leases).map(async (group) => {
      const [first, ...rest] = group;
      if (first === undefined) return;
      const keys = [first.key, ...rest.map(({ key }) => key)] as const;
      const [, replies] = await store.run("heartbeat", keys, ["-", String(leaseMs), ...group.flatMap(argsOf)]);
      for (const [index, reply] of toList(replies).entries()) {
        const place = group[index]?.index;
        if (place !== undefined) answers[place] = toFenced(toList(reply));
      }
    }),
  );
  return answers;
}

interface Placed extends CallerLease {
  /** Among the leases of the call. */
  readonly index: number;
  readonly key: string;
}

function groupsOf(store: StoreContext, leases: readonly CallerLease[]): Placed[][] {
  const open = new Map<string, Placed[]>();
  const groups: Placed[][] = [];
  for (const [index, { caller, lease }] of leases.entries()) {
    const address = store.keys.ofSnapshot(caller.scope, lease.snapshotId);
    if (address === undefined) continue;
    let group = open.get(address.index);
    if (group === undefined || group.length === LEASES_PER_SCRIPT) {
      group = [];
      groups.push(group);
      open.set(address.index, group);
    }
    group.push({ caller, lease, index, key: address.key });
  }
  return groups;
}

function argsOf({ caller, lease }: Placed): string[] {
  return [ownerArg(caller), lease.snapshotId, lease.sessionId, String(lease.epoch)];
}
