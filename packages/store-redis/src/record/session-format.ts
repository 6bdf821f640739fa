import { defineRecordFormat } from "@agents/schema/record";
import { FORMAT_VERSION } from "../lua/format-version.ts";

/** What a key of ours holds. A version that changes it brings a migration, and a script that writes it back. */
export const sessionFormat = defineRecordFormat({
  what: "A session of the Redis store",
  version: FORMAT_VERSION,
  migrations: {},
});
