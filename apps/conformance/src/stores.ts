import type { Store } from "@agents/schema/port";
import { createMemoryStore } from "@agents/store-memory";

/** By the name that the command takes. Each call makes an empty store. */
export const STORES: Readonly<Record<string, () => Promise<Store>>> = {
  memory: async () => createMemoryStore(),
};
