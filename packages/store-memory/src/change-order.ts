/** A place in a `ChangeOrder`, kept by its item. */
export interface Slot<Item> {
  readonly position: number;
  /** Undefined once the item moved on or was removed. */
  item: Item | undefined;
}

/** Slots that may be empty before the first sweep, so that small orders never sweep. */
const SLACK = 32;

/**
 * Items in the order of their last change, each with a position that only grows. `touch`, `remove` and `oldest` cost
 * the same for ten items and for ten thousand (sweeping out empty slots is paid by the touches that made them), and a
 * page can start at any position by binary search, whether or not the item that was there has moved.
 */
export class ChangeOrder<Item extends object> {
  #slots: Slot<Item>[] = [];
  #start = 0;
  #lastPosition = 0;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Makes the item the newest, and gives back its new place. `old` is the one it had. */
  touch(item: Item, old: Slot<Item> | undefined): Slot<Item> {
    if (old?.item !== undefined) {
      if (old === this.#slots[this.#slots.length - 1]) return old;
      old.item = undefined;
      this.#size--;
    }
    const slot: Slot<Item> = { position: ++this.#lastPosition, item };
    this.#slots.push(slot);
    this.#size++;
    this.#sweep();
    return slot;
  }

  /** Safe to repeat. */
  remove(slot: Slot<Item> | undefined): void {
    if (slot?.item === undefined) return;
    slot.item = undefined;
    this.#size--;
    this.#sweep();
  }

  clear(): void {
    this.#slots = [];
    this.#start = 0;
    this.#size = 0;
  }

  oldest(): Item | undefined {
    while (this.#start < this.#slots.length) {
      const item = this.#slots[this.#start]?.item;
      if (item !== undefined) return item;
      this.#start++;
    }
    return undefined;
  }

  /** Newest first, from below `position`. The order must not change while this is read. */
  *before(position = Number.POSITIVE_INFINITY): Generator<{ position: number; row: Item }> {
    for (let index = this.#countBelow(position) - 1; index >= this.#start; index--) {
      const slot = this.#slots[index];
      if (slot?.item !== undefined) yield { position: slot.position, row: slot.item };
    }
  }

  #countBelow(position: number): number {
    let low = 0;
    let high = this.#slots.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#slots[middle]?.position ?? 0) < position) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #sweep(): void {
    if (this.#slots.length <= 2 * this.#size + SLACK) return;
    this.#slots = this.#slots.filter((slot) => slot.item !== undefined);
    this.#start = 0;
  }
}
