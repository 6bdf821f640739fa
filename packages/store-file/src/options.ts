import { AgentError } from "@agents/schema/error";
import type { Clock } from "@agents/schema/port";
import type { FileStoreStep } from "./journal/steps.ts";

export interface FileStoreOptions {
  /** Where sessions are kept: a folder of a local file system. Made if it is not there. */
  directory: string;
  /**
   * When a write is acknowledged: `"fsync"` when the disk has it, so that it survives a power cut; `"os"` when the operating
   * system has it, so that it survives the end of the process but not of the machine. @default "fsync"
   */
  durability?: "fsync" | "os";
  /**
   * How often watched turns are looked at in case the system did not tell of a change, in milliseconds; 0 for never. Runs
   * only while somebody watches. @default 1_000
   */
  pollMs?: number;
  /**
   * Of each chain at least the newest so many turns are kept, and older ones dropped as turns are settled, except what
   * prune never drops. At least 1. @default nothing is dropped
   */
  maxChainLength?: number;
  /**
   * Whether every call must name a tenant: an empty `scope` is then refused (FAILED_PRECONDITION). Scopes are kept apart
   * either way. @default false
   */
  scoped?: boolean;
  /** Sessions whose file stays open and whose rows stay in memory. At least 1. @default 256 */
  maxOpen?: number;
  /** Decides when a lease has run out, dates rows, and times the poll. @default the system's */
  clock?: Pick<Clock, "now"> & Partial<Pick<Clock, "setTimer">>;
  /**
   * For tests of what a crash leaves behind: called and awaited at each of `FILE_STORE_STEPS`. Records are then written in
   * two halves. @default none
   */
  onStep?: (step: FileStoreStep) => void | Promise<void>;
}

/** Throws INVALID_ARGUMENT, naming the option, its value and what it takes. */
export function checkOptions({ directory, durability, pollMs, maxChainLength, maxOpen }: FileStoreOptions): void {
  if (typeof directory !== "string" || directory === "" || directory.includes("\0")) {
    throw invalid("directory", directory, "the path of a folder");
  }
  if (durability !== undefined && durability !== "fsync" && durability !== "os") {
    throw invalid("durability", durability, '"fsync" or "os"');
  }
  if (pollMs !== undefined && !(Number.isFinite(pollMs) && pollMs >= 0)) {
    throw invalid("pollMs", pollMs, "milliseconds, 0 or more");
  }
  for (const [name, value] of Object.entries({ maxChainLength, maxOpen })) {
    if (value === undefined || (Number.isInteger(value) && value >= 1)) continue;
    throw invalid(name, value, "a whole number of at least 1");
  }
}

function invalid(option: string, value: unknown, takes: string): AgentError {
  return new AgentError(
    "INVALID_ARGUMENT",
    `${option} is ${typeof value === "string" ? JSON.stringify(value) : String(value)}; it takes ${takes}.`,
    { details: { option, value: String(value) } },
  );
}
