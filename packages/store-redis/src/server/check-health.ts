import type { StoreHealth } from "@agents/schema/port";
import type { RedisServer } from "./redis-server.ts";
import { toStoreError } from "./to-store-error.ts";

/** What an operator should know of each node, and whether what was acknowledged survives the end of its process. */
export async function checkHealth(server: RedisServer): Promise<StoreHealth> {
  const infos = await infoOf(server);
  const saves = await savesOf(server);
  const nodes = infos.map((info, node) => judge({ info, save: saves?.[node] }));
  return {
    durable: nodes.every(({ durable }) => durable),
    warnings: [...new Set(nodes.flatMap(({ warnings }) => warnings))],
  };
}

type Info = ReadonlyMap<string, string>;

interface Node {
  readonly info: Info;
  /** The rule for snapshots of all data, "" for none. Undefined where the server does not tell. */
  readonly save: string | undefined;
}

const EVICTS =
  "Redis evicts keys when memory is short (maxmemory-policy {policy} with maxmemory set): whole sessions can vanish. Set maxmemory-policy noeviction.";
const NOT_PERSISTENT =
  "Redis writes nothing to disk (appendonly no, no save rule): a restart loses all sessions. Set appendonly yes.";
const SNAPSHOTS_ONLY =
  "Redis writes to disk now and then only (appendonly no): a crash loses what was acknowledged since. Set appendonly yes.";
const NO_APPEND_LOG =
  "Redis keeps no append-only file: a crash loses what was acknowledged since the last snapshot, if any. Set appendonly yes.";
const WRITE_FAILED = "Redis failed to write to its disk ({what}); see its log.";

function judge({ info, save }: Node): StoreHealth {
  const warnings: string[] = [];
  const policy = info.get("maxmemory_policy") ?? "noeviction";
  const evicts = Number(info.get("maxmemory") ?? 0) > 0 && policy !== "noeviction";
  const appends = info.get("aof_enabled") === "1";
  if (evicts) warnings.push(EVICTS.replace("{policy}", policy));
  if (!appends) warnings.push(save === undefined ? NO_APPEND_LOG : save === "" ? NOT_PERSISTENT : SNAPSHOTS_ONLY);
  const failed = ["aof_last_write_status", "rdb_last_bgsave_status"].filter((what) => info.get(what) === "err");
  for (const what of failed) warnings.push(WRITE_FAILED.replace("{what}", what));
  return { durable: appends && !evicts && info.get("aof_last_write_status") !== "err", warnings };
}

async function infoOf(server: RedisServer): Promise<readonly Info[]> {
  try {
    return (await server.sendToAll(["INFO"])).map(toInfo);
  } catch (error) {
    throw toStoreError(error);
  }
}

/** Managed servers often forbid CONFIG; then INFO has to do. */
async function savesOf(server: RedisServer): Promise<readonly (string | undefined)[] | undefined> {
  try {
    const replies = await server.sendToAll(["CONFIG", "GET", "save"]);
    return replies.map((reply) => (Array.isArray(reply) ? String(reply[1] ?? "") : (reply as { save?: string }).save));
  } catch {
    return undefined;
  }
}

function toInfo(text: unknown): Info {
  const lines = String(text).split(/\r?\n/);
  return new Map(
    lines
      .filter((line) => line.includes(":"))
      .map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1)]),
  );
}
