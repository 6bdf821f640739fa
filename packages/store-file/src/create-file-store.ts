import { resolve } from "node:path";
import type { Clock, Store, StoreHealth } from "@agents/schema/port";
import { directoryWarnings } from "./disk/directory-health.ts";
import { openLayout } from "./disk/layout.ts";
import { exportSession } from "./index/export-session.ts";
import { importSession } from "./index/import-session.ts";
import { listSessions, type Summaries } from "./index/list-sessions.ts";
import { listTurns } from "./index/list-turns.ts";
import { createSession, deleteSession, getSession, updateSession } from "./index/session-calls.ts";
import { Journals } from "./journal/journals.ts";
import { checkOptions, type FileStoreOptions } from "./options.ts";
import { abortTurn } from "./turn/abort-turn.ts";
import { appendEvents } from "./turn/append-events.ts";
import { beginTurn } from "./turn/begin-turn.ts";
import { claimTurn } from "./turn/claim-turn.ts";
import { heartbeatTurns } from "./turn/heartbeat-turns.ts";
import { pruneSession } from "./turn/prune-session.ts";
import { readEvents } from "./turn/read-events.ts";
import { readTurn } from "./turn/read-turn.ts";
import { settleTurn } from "./turn/settle-turn.ts";
import { admit, refuseClosed, type StoreFiles } from "./turn/store-files.ts";
import { FolderWatch } from "./watch/folder-watch.ts";
import { HintBoard } from "./watch/hint-board.ts";
import { type Watching, watchTurn } from "./watch/watch-turn.ts";

/** A store with every part. */
export type FileStore = Required<Store>;

/**
 * Keeps sessions in files of one machine, which any number of processes may read and write at once. Throws
 * INVALID_ARGUMENT for options that make no sense, FAILED_PRECONDITION for a directory of a layout it does not know, and
 * UNAVAILABLE or RESOURCE_EXHAUSTED where it cannot write. Calls reject with the same two, naming the path and the
 * remedy; what was acknowledged before stays whole. After `close` every call rejects with FAILED_PRECONDITION.
 */
export function createFileStore(options: FileStoreOptions): FileStore {
  checkOptions(options);
  const directory = resolve(options.directory);
  const durability = options.durability ?? "fsync";
  const now = (): number => options.clock?.now() ?? Date.now();
  const { cursorKey } = openLayout(directory);
  const watching: Watching = {
    board: new HintBoard(),
    folders: new FolderWatch({ pollMs: options.pollMs ?? 1_000, setTimer: timerOf(options.clock) }),
  };
  const files: StoreFiles = {
    directory,
    journals: new Journals({
      directory,
      durable: durability === "fsync",
      maxOpen: options.maxOpen ?? 256,
      now,
      changed: (scope, turn) => watching.board.raise(scope, turn),
      onStep: options.onStep,
    }),
    scoped: options.scoped ?? false,
    maxChainLength: options.maxChainLength,
    cursorKey,
    closed: false,
  };
  return storeOver(files, watching, durability === "fsync");
}

function storeOver(files: StoreFiles, watching: Watching, durable: boolean): FileStore {
  return {
    name: "file",
    turns: turnsOver(files),
    events: {
      async append(caller, lease, request) {
        admit(files, caller);
        return await appendEvents(files, caller, { lease, request });
      },
      async readEvents(caller, snapshotId, page) {
        admit(files, caller);
        return await readEvents(files, caller, { ...page, snapshotId });
      },
    },
    hints: {
      async watch(caller, snapshotId, onHint) {
        admit(files, caller);
        const stop = watchTurn(files, watching, { caller, snapshotId, onHint });
        return async () => stop();
      },
    },
    index: indexOver(files),
    async health(): Promise<StoreHealth> {
      refuseClosed(files);
      const warnings = await directoryWarnings(files.directory);
      const { failure } = watching.folders;
      if (failure !== undefined) warnings.push(`The system refuses to watch folders (${failure}); changes are polled.`);
      if (!durable) warnings.push('With durability "os" a power cut can take back what was acknowledged last.');
      return { durable, warnings };
    },
    async close() {
      files.closed = true;
      watching.folders.clear();
      watching.board.clear();
      await files.journals.close();
    },
  };
}

function turnsOver(files: StoreFiles): Store["turns"] {
  return {
    async begin(caller, request) {
      admit(files, caller);
      return await beginTurn(files, caller, request);
    },
    async settle(caller, lease, request) {
      admit(files, caller);
      return await settleTurn(files, caller, { lease, request });
    },
    async heartbeat(leases, leaseMs) {
      refuseClosed(files);
      // Before any is renewed: a call that rejects has done nothing.
      for (const { caller } of leases) admit(files, caller);
      return await heartbeatTurns(files, leases, leaseMs);
    },
    async requestAbort(caller, snapshotId, stale) {
      admit(files, caller);
      return await abortTurn(files, caller, { ...stale, snapshotId });
    },
    async claim(caller, snapshotId, request) {
      admit(files, caller);
      return await claimTurn(files, caller, { ...request, snapshotId });
    },
    async read(caller, at, want) {
      admit(files, caller);
      return await readTurn(files, caller, { at, want });
    },
  };
}

function indexOver(files: StoreFiles): FileStore["index"] {
  const summaries: Summaries = new Map();
  return {
    async createSession(caller, session) {
      admit(files, caller);
      return await createSession(files, caller, session);
    },
    async getSession(caller, sessionId) {
      admit(files, caller);
      return await getSession(files, caller, sessionId);
    },
    async listSessions(caller, page) {
      admit(files, caller);
      return await listSessions(files, summaries, { ...page, caller });
    },
    async listTurns(caller, sessionId, page) {
      admit(files, caller);
      return await listTurns(files, caller, { ...page, sessionId });
    },
    async updateSession(caller, sessionId, change) {
      admit(files, caller);
      return await updateSession(files, caller, { ...change, sessionId });
    },
    async deleteSession(caller, sessionId) {
      admit(files, caller);
      return await deleteSession(files, caller, sessionId);
    },
    async prune(caller, sessionId, rule, limit) {
      admit(files, caller);
      return await pruneSession(files, caller, { sessionId, rule, limit });
    },
    async exportSession(caller, sessionId) {
      admit(files, caller);
      return await exportSession(files, caller, sessionId);
    },
    async importSession(caller, record) {
      admit(files, caller);
      return await importSession(files, caller, record);
    },
  };
}

function timerOf(clock: FileStoreOptions["clock"]): Clock["setTimer"] {
  if (clock?.setTimer !== undefined) return (ms, callback) => clock.setTimer?.(ms, callback) ?? (() => undefined);
  return (ms, callback) => {
    const timer = setTimeout(callback, ms);
    timer.unref();
    return () => clearTimeout(timer);
  };
}
