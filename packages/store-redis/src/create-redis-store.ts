import type { Caller, Store } from "@agents/schema/port";
import { StoreContext } from "./context/store-context.ts";
import { HintHub } from "./hint/hint-hub.ts";
import { composeScripts, type Scripts } from "./lua/scripts.ts";
import { KeySpace } from "./record/key-space.ts";
import { type RedisStoreOptions, resolveSettings } from "./redis-store-options.ts";
import { checkHealth } from "./server/check-health.ts";
import { openServer, serverOver } from "./server/redis-server.ts";
import { exportSession } from "./session/export-session.ts";
import { importSession } from "./session/import-session.ts";
import { listSessions } from "./session/list-sessions.ts";
import { listTurns } from "./session/list-turns.ts";
import { pruneSession } from "./session/prune-session.ts";
import { createSession, deleteSession, getSession, updateSession } from "./session/session-records.ts";
import { abortTurn } from "./turn/abort-turn.ts";
import { beginTurn } from "./turn/begin-turn.ts";
import { claimTurn } from "./turn/claim-turn.ts";
import { appendEvents, readEvents } from "./turn/event-log.ts";
import { heartbeatTurns } from "./turn/heartbeat-turns.ts";
import { readTurn } from "./turn/read-turn.ts";
import { settleTurn } from "./turn/settle-turn.ts";
import { warnOnce } from "./warn-once.ts";

/** A store with every part. */
export type RedisStore = Required<Store>;

/**
 * Keeps sessions in Redis 6.2 or later, or in Valkey, on one server or on a cluster. Connects on first use. After `close`
 * every call rejects with FAILED_PRECONDITION.
 */
export function createRedisStore(options: RedisStoreOptions): RedisStore {
  return storeOver(options, { skewMs: 0 });
}

/** Apart, so that tests can move the clock: `skewMs` is added to the server's time. */
export function storeOver(options: RedisStoreOptions, clock: { readonly skewMs: number }): RedisStore {
  const settings = resolveSettings(options);
  const { timeoutMs, ttlMs } = settings;
  const server = options.url === undefined ? serverOver(options.client, timeoutMs) : openServer(options.url, timeoutMs);
  const context = new StoreContext({
    server,
    keys: new KeySpace(settings),
    buckets: settings.buckets,
    scoped: options.scoped ?? false,
    ttlMs,
    scripts: scriptsOf(ttlMs, clock),
    onStep: options.onStep,
    onOpened: () => warnOnce(server, options),
  });
  const hub = new HintHub({ subscriber: () => server.subscriber(), timeoutMs });
  return {
    name: "redis",
    turns: turnsOver(context),
    events: {
      append: admitted(context, (caller, lease, request) => appendEvents(context, caller, { lease, request })),
      readEvents: admitted(context, (caller, snapshotId, page) => readEvents(context, caller, { ...page, snapshotId })),
    },
    hints: {
      watch: admitted(context, (caller, snapshotId, onHint) => watchTurn(context, hub, { caller, snapshotId, onHint })),
    },
    index: indexOver(context),
    async health() {
      context.refuseClosed();
      await context.opened();
      return await checkHealth(server);
    },
    async close() {
      hub.close();
      context.close();
    },
  };
}

/** Composed once, and again after a test moved the clock. */
function scriptsOf(ttlMs: number, clock: { readonly skewMs: number }): () => Scripts {
  let skewMs = clock.skewMs;
  let scripts = composeScripts({ ttlMs, skewMs });
  return () => {
    if (skewMs !== clock.skewMs) {
      skewMs = clock.skewMs;
      scripts = composeScripts({ ttlMs, skewMs });
    }
    return scripts;
  };
}

/** A refusal is a rejection like any other, hence async. */
function admitted<Rest extends readonly unknown[], Result>(
  context: StoreContext,
  run: (caller: Caller, ...rest: Rest) => Promise<Result>,
): (caller: Caller, ...rest: Rest) => Promise<Result> {
  return async (caller, ...rest) => {
    context.admit(caller);
    return await run(caller, ...rest);
  };
}

function turnsOver(context: StoreContext): Store["turns"] {
  return {
    begin: admitted(context, (caller, request) => beginTurn(context, caller, request)),
    settle: admitted(context, (caller, lease, request) => settleTurn(context, caller, { lease, request })),
    async heartbeat(leases, leaseMs) {
      context.refuseClosed();
      // Before any is renewed: a call that rejects has done nothing.
      for (const { caller } of leases) context.admit(caller);
      return await heartbeatTurns(context, leases, leaseMs);
    },
    requestAbort: admitted(context, (caller, snapshotId, stale) =>
      abortTurn(context, caller, { ...stale, snapshotId }),
    ),
    claim: admitted(context, (caller, snapshotId, request) => claimTurn(context, caller, { ...request, snapshotId })),
    read: admitted(context, (caller, at, want) => readTurn(context, caller, { at, want })),
  };
}

function indexOver(context: StoreContext): RedisStore["index"] {
  return {
    createSession: admitted(context, (caller, session) => createSession(context, caller, session)),
    getSession: admitted(context, (caller, sessionId) => getSession(context, caller, sessionId)),
    listSessions: admitted(context, (caller, page) => listSessions(context, caller, page)),
    listTurns: admitted(context, (caller, sessionId, page) => listTurns(context, caller, { ...page, sessionId })),
    updateSession: admitted(context, (caller, sessionId, change) =>
      updateSession(context, caller, { ...change, sessionId }),
    ),
    deleteSession: admitted(context, (caller, sessionId) => deleteSession(context, caller, sessionId)),
    prune: admitted(context, (caller, sessionId, rule, limit) =>
      pruneSession(context, caller, { sessionId, rule, limit }),
    ),
    exportSession: admitted(context, (caller, sessionId) => exportSession(context, caller, sessionId)),
    importSession: admitted(context, (caller, record) => importSession(context, caller, record)),
  };
}

interface Watch {
  readonly caller: Caller;
  readonly snapshotId: string;
  readonly onHint: () => void;
}

async function watchTurn(
  context: StoreContext,
  hub: HintHub,
  { caller, snapshotId, onHint }: Watch,
): Promise<() => Promise<void>> {
  await context.opened();
  const channel = context.keys.channel(caller.scope, snapshotId);
  // An id that is none of ours never comes to be.
  return channel === undefined ? async () => {} : await hub.watch(channel, caller, onHint);
}
