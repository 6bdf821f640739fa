import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { testStore } from "@agents/testing/store";
import { createFileStore, type FileStore } from "./create-file-store.ts";

const directories = new WeakMap<FileStore, string>();

testStore<FileStore>({
  name: "file",
  create({ clock }) {
    const directory = mkdtempSync(join(tmpdir(), "store-file-"));
    const store = createFileStore({ directory, clock });
    directories.set(store, directory);
    return store;
  },
  reopen: (store, { clock }) => createFileStore({ directory: directories.get(store) ?? "", clock }),
  async destroy(store) {
    await store.close();
    rmSync(directories.get(store) ?? "", { recursive: true, force: true });
  },
  advance: "clock",
});
