import { createHash } from "node:crypto";
import { AgentError } from "@agents/schema/error";

/**
 * A name for each of a server's names that every provider takes. A name that is fine already stays, behind the prefix.
 * In others each character that is not allowed becomes `_`, and what is too long is cut; where two would then be the
 * same, those that were changed end in a hash of the server's name. So names do not depend on the order of the list.
 */
export function nameTools(serverNames: readonly string[], prefix: string): ReadonlyMap<string, string> {
  const fine = serverNames.filter((name) => NAME.test(prefix + name));
  const taken = new Set(fine.map((name) => prefix + name));
  const named = new Map(fine.map((name) => [name, prefix + name]));
  const others = serverNames.filter((name) => !named.has(name)).sort();
  const wishes = new Map(others.map((name) => [name, adapt(prefix + name)]));
  const wishers = new Map<string, number>();
  for (const wish of wishes.values()) wishers.set(wish, (wishers.get(wish) ?? 0) + 1);
  for (const [name, wish] of wishes) {
    const alone = wishers.get(wish) === 1 && !taken.has(wish);
    named.set(name, alone ? wish : hashed(wish, name, taken));
    taken.add(named.get(name) as string);
  }
  return named;
}

/** Throws INVALID_ARGUMENT for a prefix that leaves no room or that no provider takes. */
export function checkPrefix(prefix: string): void {
  if (/^[A-Za-z0-9_.-]{0,64}$/.test(prefix)) return;
  throw new AgentError(
    "INVALID_ARGUMENT",
    `'prefix' is ${JSON.stringify(prefix)}; it has at most 64 letters, digits, "_", "." or "-".`,
  );
}

const LONGEST = 128;
const NAME = /^[A-Za-z0-9_.-]{1,128}$/;

function adapt(name: string): string {
  return name.replace(/[^A-Za-z0-9_.-]/gu, "_").slice(0, LONGEST) || "tool";
}

function hashed(wish: string, serverName: string, taken: ReadonlySet<string>): string {
  const hash = createHash("sha256").update(serverName).digest("hex");
  for (let length = 8; ; length += 8) {
    const name = `${wish.slice(0, LONGEST - 1 - length)}_${hash.slice(0, length)}`;
    if (!taken.has(name) || length >= hash.length) return name;
  }
}
