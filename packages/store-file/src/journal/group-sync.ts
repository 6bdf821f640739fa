import { close, fdatasync, fsync, open } from "node:fs";
import { promisify } from "node:util";
import { AgentError } from "@agents/schema/error";

export interface GroupSyncOptions {
  readonly fd: number;
  readonly path: string;
  readonly durable: boolean;
  readonly madeIn: readonly string[];
}

/** One wait for the disk serves everybody whose bytes were written before it began. */
export class GroupSync {
  /** Up to here answers may depend on. */
  #written = 0;
  #synced = 0;
  #running: Promise<void> | undefined;
  #failure: AgentError | undefined;
  #folders: readonly string[];
  readonly #options: GroupSyncOptions;

  constructor(options: GroupSyncOptions) {
    this.#options = options;
    this.#folders = options.madeIn;
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  get isDone(): boolean {
    return !this.#options.durable || (this.#synced >= this.#written && this.#failure === undefined);
  }

  /** Folders whose entries answers rest on, too. */
  alsoFolders(folders: readonly string[]): void {
    this.#folders = folders;
  }

  wrote(end: number): void {
    if (end > this.#written) this.#written = end;
  }

  /**
   * Resolves once everything that was replayed by now is on the disk. After a failure it rejects for good: the kernel drops
   * what it could not write and says so only once.
   */
  async done(): Promise<void> {
    const target = this.#written;
    while (this.#options.durable && (this.#synced < target || this.#failure !== undefined)) {
      if (this.#failure !== undefined) throw this.#failure;
      this.#running ??= this.#run();
      await this.#running;
    }
  }

  async #run(): Promise<void> {
    const end = this.#written;
    try {
      const folders = this.#folders;
      await Promise.all([syncData(this.#options.fd), ...folders.map(syncFolder)]);
      if (this.#folders === folders) this.#folders = [];
      this.#synced = end;
    } catch (cause) {
      this.#failure = syncError(this.#options.path, cause);
    } finally {
      this.#running = undefined;
    }
  }
}

const syncData = promisify(fdatasync);
const syncWhole = promisify(fsync);
const openFile = promisify(open);
const closeFile = promisify(close);

/** A new file's name is an entry of its folder. */
async function syncFolder(folder: string): Promise<void> {
  const fd = await openFile(folder, "r");
  try {
    await syncWhole(fd);
  } finally {
    await closeFile(fd);
  }
}

function syncError(path: string, cause: unknown): AgentError {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "an error";
  return new AgentError(
    "UNAVAILABLE",
    `The disk did not take what was written to ${path} (${code} from fdatasync). It may be lost: check the disk, then restart this process.`,
    { details: { path, code }, cause },
  );
}
