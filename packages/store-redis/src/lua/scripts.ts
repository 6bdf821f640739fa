import { createHash } from "node:crypto";
import { addEvents } from "./part/add-events.lua.ts";
import { chain } from "./part/chain.lua.ts";
import { clock } from "./part/clock.lua.ts";
import { dropTurn } from "./part/drop-turn.lua.ts";
import { endTurn } from "./part/end-turn.lua.ts";
import { event } from "./part/event.lua.ts";
import { expiry } from "./part/expiry.lua.ts";
import { format } from "./part/format.lua.ts";
import { hint } from "./part/hint.lua.ts";
import { lease } from "./part/lease.lua.ts";
import { link } from "./part/link.lua.ts";
import { markAborting } from "./part/mark-aborting.lua.ts";
import { newSession } from "./part/new-session.lua.ts";
import { outcome } from "./part/outcome.lua.ts";
import { request } from "./part/request.lua.ts";
import { sessionRecord } from "./part/session-record.lua.ts";
import { setLink } from "./part/set-link.lua.ts";
import { turnRecord } from "./part/turn-record.lua.ts";
import { write } from "./part/write.lua.ts";
import { placeFields } from "./record-fields.ts";
import { abort } from "./script/abort.lua.ts";
import { append } from "./script/append.lua.ts";
import { begin } from "./script/begin.lua.ts";
import { claim } from "./script/claim.lua.ts";
import { deleteSession } from "./script/delete-session.lua.ts";
import { exportTurns } from "./script/export.lua.ts";
import { heartbeat } from "./script/heartbeat.lua.ts";
import { importSession, importTurns } from "./script/import.lua.ts";
import { listTurns } from "./script/list-turns.lua.ts";
import { dropRows, readTree } from "./script/prune.lua.ts";
import { read } from "./script/read.lua.ts";
import { readEvents } from "./script/read-events.lua.ts";
import { createSession, getSession, updateSession } from "./script/session.lua.ts";
import { settle } from "./script/settle.lua.ts";
import { sweep } from "./script/sweep.lua.ts";

export interface Script {
  readonly name: ScriptName;
  readonly source: string;
  /** What EVALSHA calls it by. */
  readonly sha: string;
}

export interface ScriptOptions {
  /** 0 for none. */
  readonly ttlMs: number;
  /** Added to the server's time, for tests. */
  readonly skewMs: number;
}

export type ScriptName = ReturnType<typeof bodies> extends Readonly<Record<infer Name, unknown>> ? Name : never;
export type Scripts = Readonly<Record<ScriptName, Script>>;

/** Each script with the parts that it needs, and no others: the server makes their functions anew for each call. */
export function composeScripts(options: ScriptOptions): Scripts {
  const made = Object.entries(bodies(options)).map(([name, parts]) => {
    const source = placeFields(parts.join(""));
    return [name, { name, source, sha: createHash("sha1").update(source).digest("hex") }];
  });
  return Object.fromEntries(made) as Scripts;
}

function bodies({ ttlMs, skewMs }: ScriptOptions) {
  const base = [clock(skewMs), request, format];
  const expire = expiry(ttlMs);
  const turns = [...base, turnRecord, hint, sessionRecord, write];
  const lineage = [link, setLink];
  const log = [event, addEvents];
  return {
    begin: [...turns, expire, newSession, ...lineage, chain, ...log, outcome, endTurn, markAborting, begin],
    settle: [...turns, expire, ...lineage, ...log, outcome, endTurn, lease, settle],
    append: [...turns, expire, ...log, lease, append],
    heartbeat: [...turns, expire, lease, heartbeat],
    abort: [...turns, expire, ...lineage, ...log, outcome, endTurn, markAborting, abort],
    claim: [...turns, expire, link, chain, claim],
    read: [...base, turnRecord, sessionRecord, link, chain, read],
    readEvents: [...base, turnRecord, event, readEvents],
    createSession: [...turns, expire, newSession, createSession],
    getSession: [...base, sessionRecord, getSession],
    updateSession: [...turns, expire, updateSession],
    deleteSession: [...turns, link, dropTurn, deleteSession],
    listTurns: [...base, turnRecord, sessionRecord, link, listTurns],
    readTree: [...base, turnRecord, sessionRecord, link, readTree],
    dropRows: [...turns, link, event, dropTurn, dropRows],
    exportTurns: [...base, turnRecord, sessionRecord, link, event, exportTurns],
    importTurns: [...turns, ...lineage, event, importTurns],
    importSession: [...turns, expire, importSession],
    sweep: [request, sweep],
  } as const satisfies Record<string, readonly string[]>;
}
