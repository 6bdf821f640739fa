/** Front positions that are given back to the array at once: below this, moving the rest costs more than it frees. */
const COMPACT_AT = 256;

/** A queue that takes constant time per value, on average, and holds no value longer than it is queued. */
export class Fifo<T> {
  #items: (T | undefined)[] = [];
  #head = 0;

  get size(): number {
    return this.#items.length - this.#head;
  }

  push(value: T): void {
    this.#items.push(value);
  }

  peek(): T | undefined {
    return this.#items[this.#head];
  }

  /** The oldest value; `undefined` when empty, so whoever queues `undefined` looks at `size` first. */
  shift(): T | undefined {
    if (this.#head === this.#items.length) return undefined;
    const value = this.#items[this.#head];
    this.#items[this.#head] = undefined;
    this.#head++;
    if (this.#head === this.#items.length) this.clear();
    else if (this.#head >= COMPACT_AT && this.#head * 2 >= this.#items.length) this.#compact();
    return value;
  }

  clear(): void {
    this.#items.length = 0;
    this.#head = 0;
  }

  #compact(): void {
    this.#items.splice(0, this.#head);
    this.#head = 0;
  }
}
