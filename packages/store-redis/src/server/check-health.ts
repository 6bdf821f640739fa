import type { StoreHealth } from "@agents/schema/port";
import type { RedisServer } from "./redis-server.ts";
import { toStoreError } from "./to-store-error.ts";

/** What an operator should know of each node, and whether what was acknowledged survives its crash. */
export async function checkHealth(server: RedisServer): Promise<StoreHealth> {
  const infos = await infoOf(server);
  const settings = await settingsOf(server);
  const nodes = infos.map((info, node) => judge(info, settings[node] ?? {}));
  return {
    durable: nodes.every(({ durable }) => durable),
    warnings: [...new Set(nodes.flatMap(({ warnings }) => warnings))],
  };
}

type Info = ReadonlyMap<string, string>;

/** What only CONFIG tells; undefined where it is forbidden, as managed servers often have it. */
interface Settings {
  /** When all data are written, "" for never. */
  readonly save?: string;
  /** always, everysec or no. */
  readonly appendfsync?: string;
}

const EVICTS =
  "Redis evicts keys when memory is short (maxmemory-policy {policy} with maxmemory set): whole sessions can vanish. Set maxmemory-policy noeviction.";
const NOT_PERSISTENT =
  "Redis writes nothing to disk (appendonly no, no save rule): a restart loses all sessions. Set appendonly yes.";
const SNAPSHOTS_ONLY =
  "Redis writes to disk now and then only (appendonly no): a crash loses what was acknowledged since. Set appendonly yes.";
const NO_APPEND_LOG =
  "Redis keeps no append-only file: a crash loses what was acknowledged since the last snapshot, if any. Set appendonly yes.";
const LATE_FSYNC =
  "Redis syncs its append-only file late (appendfsync {fsync}): a crash can lose what was acknowledged in the last seconds. Set appendfsync always.";
const UNKNOWN_FSYNC =
  "Redis does not tell when it syncs its append-only file (CONFIG is forbidden): unless appendfsync is always, a crash can lose what was acknowledged in the last seconds.";
const WRITE_FAILED = "Redis failed to write to its disk ({what}); see its log.";

function judge(info: Info, settings: Settings): StoreHealth {
  const policy = info.get("maxmemory_policy") ?? "noeviction";
  const evicts = Number(info.get("maxmemory") ?? 0) > 0 && policy !== "noeviction";
  const persistence = info.get("aof_enabled") === "1" ? lateSync(settings) : noLog(settings);
  const failed = ["aof_last_write_status", "rdb_last_bgsave_status"].filter((what) => info.get(what) === "err");
  return {
    durable: persistence === undefined && !evicts && !failed.includes("aof_last_write_status"),
    warnings: [
      ...(evicts ? [EVICTS.replace("{policy}", policy)] : []),
      ...(persistence === undefined ? [] : [persistence]),
      ...failed.map((what) => WRITE_FAILED.replace("{what}", what)),
    ],
  };
}

function noLog({ save }: Settings): string {
  if (save === undefined) return NO_APPEND_LOG;
  return save === "" ? NOT_PERSISTENT : SNAPSHOTS_ONLY;
}

function lateSync({ appendfsync }: Settings): string | undefined {
  if (appendfsync === undefined) return UNKNOWN_FSYNC;
  return appendfsync === "always" ? undefined : LATE_FSYNC.replace("{fsync}", appendfsync);
}

async function infoOf(server: RedisServer): Promise<readonly Info[]> {
  try {
    return (await server.sendToAll(["INFO"])).map(toInfo);
  } catch (error) {
    throw toStoreError(error);
  }
}

async function settingsOf(server: RedisServer): Promise<readonly Settings[]> {
  try {
    const saves = await server.sendToAll(["CONFIG", "GET", "save"]);
    const syncs = await server.sendToAll(["CONFIG", "GET", "appendfsync"]);
    return saves.map((save, node) => ({ save: settingIn(save), appendfsync: settingIn(syncs[node]) }));
  } catch {
    return [];
  }
}

/** Of a name and a value: a list in RESP 2, an object in RESP 3. */
function settingIn(reply: unknown): string {
  const value = Array.isArray(reply) ? reply[1] : Object.values(reply ?? {})[0];
  return String(value ?? "");
}

function toInfo(text: unknown): Info {
  const info = new Map<string, string>();
  for (const line of String(text).split(/\r?\n/)) {
    const colon = line.indexOf(":");
    if (colon > 0) info.set(line.slice(0, colon), line.slice(colon + 1));
  }
  return info;
}
