import { createHash } from "node:crypto";

export interface Watch {
  /** Of the turn, within this process. */
  readonly key: string;
  /** Of the turn, in notifications. */
  readonly tag: string;
  readonly scope: string;
  readonly snapshotId: string;
  readonly onHint: () => void;
}

/** Within this process. Escaped texts have no U+0002. */
export function turnKey(scope: string, snapshotId: string): string {
  return `${scope}\u0002${snapshotId}`;
}

/** What a notification names a turn by: as long for every id, and telling nothing of tenants to whoever else listens. */
export function turnTag(key: string): string {
  return createHash("sha256").update(key).digest("base64url").slice(0, 16);
}

/** Who watches which turn in this process. */
export class WatchList {
  readonly #byKey = new Map<string, Set<Watch>>();
  readonly #byTag = new Map<string, string>();

  get size(): number {
    return this.#byKey.size;
  }

  /** One watch for each turn that is watched. */
  *turns(): Generator<Watch> {
    for (const [first] of this.#byKey.values()) if (first !== undefined) yield first;
  }

  add(scope: string, snapshotId: string, onHint: () => void): Watch {
    const key = turnKey(scope, snapshotId);
    const watch = { key, tag: turnTag(key), scope, snapshotId, onHint };
    const others = this.#byKey.get(key);
    if (others !== undefined) others.add(watch);
    else this.#byKey.set(key, new Set([watch]));
    this.#byTag.set(watch.tag, key);
    return watch;
  }

  remove(watch: Watch): void {
    const others = this.#byKey.get(watch.key);
    if (others?.delete(watch) !== true || others.size > 0) return;
    this.#byKey.delete(watch.key);
    this.#byTag.delete(watch.tag);
  }

  clear(): void {
    this.#byKey.clear();
    this.#byTag.clear();
  }

  hint(key: string): void {
    for (const { onHint } of [...(this.#byKey.get(key) ?? [])]) onHint();
  }

  hintTag(tag: string): void {
    const key = this.#byTag.get(tag);
    if (key !== undefined) this.hint(key);
  }

  hintAll(): void {
    for (const key of [...this.#byKey.keys()]) this.hint(key);
  }
}
