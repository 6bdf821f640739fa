import { constants } from "node:fs";
import { access, statfs } from "node:fs/promises";
import { toFileError } from "./file-error.ts";

/** File systems of other machines: an append there is not one step. */
const NETWORK_TYPES: ReadonlyMap<number, string> = new Map([
  [0x6969, "NFS"],
  [0xff534d42, "CIFS"],
  [0xfe534d42, "SMB2"],
  [0x517b, "SMB"],
]);

/** Below this the next big state may not fit. */
const LITTLE_SPACE = 256 * 1024 * 1024;

/** What an operator should know of the disk. Rejects with UNAVAILABLE when it cannot be read and written. */
export async function directoryWarnings(directory: string): Promise<string[]> {
  const warnings: string[] = [];
  try {
    await access(directory, constants.R_OK | constants.W_OK);
    const { bavail, bsize, type } = await statfs(directory);
    const network = NETWORK_TYPES.get(type);
    if (network !== undefined) {
      warnings.push(`${directory} is on ${network}, where two machines may write into each other; use a local disk.`);
    }
    const free = bavail * bsize;
    if (free < LITTLE_SPACE) {
      warnings.push(`${directory} has ${Math.floor(free / 1024 / 1024)} MB left; writes fail when it is full.`);
    }
  } catch (error) {
    throw toFileError(error, directory);
  }
  return warnings;
}
