import type { Store } from "@agents/schema/port";
import { createFileStore, FILE_STORE_STEPS, type FileStoreStep } from "@agents/store-file";

/** Opened by a process that a test kills at one of its steps. */
export function openStore(
  { directory }: { readonly directory: string },
  { onStep }: { onStep(step: string): void | Promise<void> },
): Store {
  return createFileStore({ directory, onStep: (step) => onStep(step) });
}

/** In the order in which they are reached. */
export const steps: readonly FileStoreStep[] = FILE_STORE_STEPS;
