import { closeSync, fsyncSync, openSync } from "node:fs";

/** A new file's name is an entry of its folder: until that is on the disk, the file may be gone after a power cut. */
export function syncFolder(folder: string): void {
  const fd = openSync(folder, "r");
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
