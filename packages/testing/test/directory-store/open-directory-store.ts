import type { OpenProcessStore } from "../../src/chaos/index.ts";
import type { DirectoryStoreFault } from "./commit-version.ts";
import { createDirectoryStore } from "./create-directory-store.ts";

export interface DirectoryStoreConfig {
  readonly directory: string;
  readonly fault?: DirectoryStoreFault;
}

/** In each process of the kit. */
export const openStore: OpenProcessStore<DirectoryStoreConfig> = (config, { onStep }) =>
  createDirectoryStore({ ...config, clock: Date, onStep });
