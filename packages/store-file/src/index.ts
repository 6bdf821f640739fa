export { createFileStore, type FileStore } from "./create-file-store.ts";
export { FILE_STORE_STEPS, type FileStoreStep } from "./journal/steps.ts";
export type { FileStoreOptions } from "./options.ts";
