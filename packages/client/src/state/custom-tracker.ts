import type { AgentChunk } from "@agents/schema/agent";
import { applyPatch, type PatchOperation } from "@agents/schema/patch";

/** Custom state as the patches of a stream make it. */
export class CustomTracker<Custom> {
  #value: Custom | undefined;
  #stale = false;

  constructor(value?: Custom) {
    this.#value = value;
  }

  get value(): Custom | undefined {
    return this.#value;
  }

  /** A patch did not apply: the value is the last one that was right, until it is based anew. */
  get stale(): boolean {
    return this.#stale;
  }

  see({ customPatch }: AgentChunk): void {
    if (customPatch === undefined) return;
    // The first patch of a turn replaces the whole document, so it heals whatever was missed before.
    const whole = customPatch.length === 1 && customPatch[0]?.path === "" && customPatch[0].op !== "test";
    if (this.#stale && !whole) return;
    try {
      this.#value = applyPatch(this.#value, customPatch as PatchOperation[]) as Custom;
      this.#stale = false;
    } catch {
      this.#stale = true;
    }
  }

  /** What a snapshot says is right. */
  rebase(value: Custom | undefined): void {
    this.#value = value;
    this.#stale = false;
  }
}
