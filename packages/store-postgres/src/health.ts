import type { StoreHealth } from "@agents/schema/port";
import type { Database } from "./database/database.ts";

const FACTS = `select current_setting('fsync'), current_setting('synchronous_commit'), current_setting('full_page_writes'),
  pg_catalog.pg_is_in_recovery()::text, current_setting('server_version_num'), current_setting('server_version')`;

/** What the syntax of the functions takes. */
const OLDEST_SERVER = 130_000;

/** Asks the server how it keeps what it acknowledges. */
export async function readHealth(database: Database, isDeaf: boolean): Promise<StoreHealth> {
  const [row] = await database.run({ name: "health", text: FACTS }, []);
  const [fsync, commit, fullPages, isStandby, number, version] = row ?? [];
  const warnings: string[] = [];
  if (fsync === "off") {
    warnings.push("fsync is off: a crash of the server's machine can damage the whole database.");
  }
  if (commit === "off") {
    warnings.push("synchronous_commit is off: a crash of the server loses what it acknowledged in the last moments.");
  }
  if (fullPages === "off") {
    warnings.push(
      "full_page_writes is off: a crash in the middle of a write can damage a page, unless the disk prevents it.",
    );
  }
  if (isStandby === "true") warnings.push("The server is a standby and takes no writes; connect to the primary.");
  if (Number(number) < OLDEST_SERVER)
    warnings.push(`The server is Postgres ${version}; this store is made for 13 and later.`);
  if (isDeaf) {
    warnings.push(
      "The connection that listens for notifications is down: changes by other processes are seen by polling.",
    );
  }
  return { durable: fsync !== "off" && commit !== "off", warnings };
}
