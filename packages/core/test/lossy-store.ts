import { setImmediate } from "node:timers/promises";
import { AgentError } from "@agents/schema/error";
import type { Store } from "@agents/schema/port";

/** Numbers from 0 to 1, foretold by the seed. */
export type Random = () => number;

export function createRandom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) & 0x7fff_ffff;
    return state / 0x7fff_ffff;
  };
}

/** Gives others their turn, so many times. */
export async function pause(random: Random, most: number): Promise<void> {
  for (let left = Math.floor(random() * most); left > 0; left--) await setImmediate();
}

/** The store as if it were far away: calls and answers take a while, and `loss` of each never arrive. Hints are lost often. */
export function lossyStore(store: Store, { random, loss }: { random: Random; loss: number }): Store {
  async function travel(what: string): Promise<void> {
    await pause(random, 6);
    if (random() < loss) throw new AgentError("UNAVAILABLE", `The ${what} was lost.`);
  }

  function distant<Part extends object>(part: Part): Part {
    const calls = Object.entries(part).map(([name, method]: [string, (...args: unknown[]) => Promise<unknown>]) => [
      name,
      async (...args: unknown[]) => {
        await travel("call");
        const answer = await method.apply(part, args);
        await travel("answer");
        return answer;
      },
    ]);
    return Object.fromEntries(calls) as Part;
  }

  return {
    ...store,
    turns: distant(store.turns),
    ...(store.events && { events: distant(store.events) }),
    ...(store.hints && {
      hints: {
        watch: (caller, id, onHint) =>
          store.hints?.watch(caller, id, () => {
            void pause(random, 6).then(() => random() > 0.2 && onHint());
          }) as Promise<() => Promise<void>>,
      },
    }),
  };
}
