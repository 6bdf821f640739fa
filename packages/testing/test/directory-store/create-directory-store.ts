import { mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { sessionRoute, snapshotRoute } from "@agents/schema/hash";
import type { Caller, Clock, Store } from "@agents/schema/port";
import type { StepHooks } from "../../src/chaos/index.ts";
import { referenceEvents } from "../../src/store/reference/reference-events.ts";
import { referenceIndex } from "../../src/store/reference/reference-index.ts";
import type { ReferenceRows } from "../../src/store/reference/reference-rows.ts";
import { referenceTurns } from "../../src/store/reference/reference-turns.ts";
import { commitVersion, type DirectoryStoreFault, unwrittenIn } from "./commit-version.ts";

export interface DirectoryStoreOptions extends StepHooks {
  readonly directory: string;
  readonly clock: Pick<Clock, "now">;
  /** What it does wrong, for tests of the kit. */
  readonly fault?: DirectoryStoreFault;
}

/**
 * The reference's rules over files, for as many processes as like: each change of a conversation is a new version of its
 * document, and the one who makes version n + 1 is the one whose link to it succeeded. Nobody waits for anybody, and what a
 * dead process leaves behind is a file that nobody looks at. Simple and right, and much too slow to use.
 */
export function createDirectoryStore(options: DirectoryStoreOptions): Required<Store> {
  const { clock, fault } = options;
  const bySnapshot = (caller: Caller, id: string) => ({ caller, route: snapshotRoute(id) ?? "none" });
  const bySession = (caller: Caller, id: string) => ({ caller, route: sessionRoute(id) });
  // A clock of its own in each process: two of them never agree on what is stale.
  const own = fault === "reads another clock" ? { now: () => Date.now() + process.pid * 36_000_000 } : clock;
  const change = <T>(at: Place, use: (rows: ReferenceRows) => Promise<T>) =>
    changeRows({ ...options, clock: own }, at, use);

  return {
    name: "directory",
    turns: {
      begin(caller, request) {
        const at = bySnapshot(caller, request.snapshotId);
        const writer = fault === "does not know a repeat" ? `${request.writer}${process.pid}` : request.writer;
        return change(at, (rows) => referenceTurns(rows).begin(caller, { ...request, writer }));
      },
      settle: (caller, lease, request) =>
        change(bySnapshot(caller, lease.snapshotId), async (rows) => {
          const row = rows.turns.find(({ meta }) => meta.snapshotId === lease.snapshotId);
          const epoch = fault === "ignores epochs" ? (row?.meta.epoch ?? 1) : lease.epoch;
          return await referenceTurns(rows).settle(caller, { ...lease, epoch }, request);
        }),
      async heartbeat(leases, leaseMs) {
        const one = (lease: (typeof leases)[number]) =>
          change(bySnapshot(lease.caller, lease.lease.snapshotId), async (rows) => {
            const [answer = { ok: false as const }] = await referenceTurns(rows).heartbeat([lease], leaseMs);
            return answer;
          });
        return await Promise.all(leases.map(one));
      },
      requestAbort: (caller, id, stale) =>
        change(bySnapshot(caller, id), async (rows) => {
          const answer = await referenceTurns(rows).requestAbort(caller, id, stale);
          if (fault !== "lies about aborts" || answer === undefined) return answer;
          return { ...answer, after: { ...answer.after, status: "aborting" as const } };
        }),
      claim: (caller, id, request) =>
        change(bySnapshot(caller, id), (rows) => referenceTurns(rows).claim(caller, id, request)),
      read: (caller, at, want) =>
        change("snapshotId" in at ? bySnapshot(caller, at.snapshotId) : bySession(caller, at.sessionId), (rows) =>
          referenceTurns(rows).read(caller, at, want),
        ),
    },
    events: {
      append: (caller, lease, request) =>
        change(bySnapshot(caller, lease.snapshotId), (rows) => referenceEvents(rows).append(caller, lease, request)),
      readEvents: (caller, id, page) =>
        change(bySnapshot(caller, id), (rows) => referenceEvents(rows).readEvents(caller, id, page)),
    },
    hints: {
      async watch(caller, id, onHint) {
        const folder = folderOf(options.directory, bySnapshot(caller, id));
        let seen = await newestVersion(folder);
        const look = async (): Promise<void> => {
          const newest = await newestVersion(folder);
          if (newest !== seen && fault !== "keeps hints to itself") onHint();
          seen = newest;
        };
        const timer = setInterval(() => void look(), 10);
        return async () => clearInterval(timer);
      },
    },
    index: indexOver(options, change, bySession),
    health: async () => ({ durable: true, warnings: [] }),
    close: async () => {},
  };
}

interface Place {
  readonly caller: Caller;
  readonly route: string;
}

type Change = <T>(at: Place, use: (rows: ReferenceRows) => Promise<T>) => Promise<T>;

function indexOver(
  options: DirectoryStoreOptions,
  change: Change,
  at: (caller: Caller, sessionId: string) => Place,
): Required<Store>["index"] {
  const forSession =
    <Name extends "getSession" | "listTurns" | "updateSession" | "deleteSession" | "prune" | "exportSession">(
      method: Name,
    ) =>
    (caller: Caller, sessionId: string, ...rest: unknown[]) =>
      change(at(caller, sessionId), async (rows) => {
        const run = referenceIndex(rows)[method] as (...args: unknown[]) => Promise<unknown>;
        return await run(caller, sessionId, ...rest);
      });
  return {
    ...(Object.fromEntries(
      (["getSession", "listTurns", "updateSession", "deleteSession", "prune", "exportSession"] as const).map((name) => [
        name,
        forSession(name),
      ]),
    ) as Pick<
      Required<Store>["index"],
      "getSession" | "listTurns" | "updateSession" | "deleteSession" | "prune" | "exportSession"
    >),
    createSession: (caller, session) =>
      change(at(caller, session.sessionId), (rows) => referenceIndex(rows).createSession(caller, session)),
    importSession: (caller, record) =>
      change(at(caller, record.session.sessionId), (rows) => referenceIndex(rows).importSession(caller, record)),
    async listSessions(caller, page) {
      const routes = await readdir(join(options.directory, sessionRoute(caller.scope))).catch(() => []);
      const rows = await Promise.all(routes.map((route) => readRows(options, { caller, route })));
      const all = { ...emptyRows(options), sessions: rows.flatMap(({ sessions }) => sessions) };
      return await referenceIndex(all).listSessions(caller, page);
    },
  };
}

/** Until nobody else changed the rows meanwhile. */
async function changeRows<T>(
  options: DirectoryStoreOptions,
  at: Place,
  use: (rows: ReferenceRows) => Promise<T>,
): Promise<T> {
  for (;;) {
    const rows = await readRows(options, at);
    const before = textOf(rows);
    const answer = await use(rows);
    const after = textOf(rows);
    if (after === before) return answer;
    const folder = folderOf(options.directory, at);
    const version = { folder, number: rows.version + 1, before, after };
    if (await commitVersion(version, options)) return answer;
  }
}

interface VersionedRows extends ReferenceRows {
  readonly version: number;
}

async function readRows(options: DirectoryStoreOptions, at: Place): Promise<VersionedRows> {
  const folder = folderOf(options.directory, at);
  await mkdir(folder, { recursive: true });
  const own = unwrittenIn(folder);
  const version = Math.max(own?.number ?? 0, await newestVersion(folder));
  const text = version === own?.number ? own.after : await readVersion(folder, version);
  return { ...emptyRows(options), ...(JSON.parse(text) as Partial<ReferenceRows>), version };
}

async function readVersion(folder: string, version: number): Promise<string> {
  return version === 0 ? "{}" : await readFile(join(folder, String(version)), "utf8");
}

function emptyRows({ clock }: DirectoryStoreOptions): ReferenceRows {
  return { now: () => clock.now(), changed: () => {}, keepsEvents: true, sessions: [], turns: [] };
}

function textOf({ sessions, turns }: ReferenceRows): string {
  return JSON.stringify({ sessions, turns });
}

async function newestVersion(folder: string): Promise<number> {
  const names = await readdir(folder).catch(() => []);
  return Math.max(0, ...names.filter((name) => /^\d+$/.test(name)).map(Number));
}

/** Ids from outside never become a path: routes are hex digits. */
function folderOf(directory: string, { caller, route }: Place): string {
  return join(directory, sessionRoute(caller.scope), route);
}
