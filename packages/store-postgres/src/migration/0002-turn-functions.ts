import { abortFunction } from "../function/abort.ts";
import { appendFunction } from "../function/append.ts";
import { beginFunction } from "../function/begin.ts";
import { claimFunction } from "../function/claim.ts";
import { heartbeatFunction } from "../function/heartbeat.ts";
import { readFunction } from "../function/read.ts";
import { readEventsFunction } from "../function/read-events.ts";
import { settleFunction } from "../function/settle.ts";
import type { Migration } from "./migration.ts";

export const turnFunctions: Migration = {
  version: 2,
  name: "turn functions",
  compatibleFrom: 1,
  sql: (schema) =>
    [
      beginFunction,
      settleFunction,
      appendFunction,
      heartbeatFunction,
      abortFunction,
      claimFunction,
      readFunction,
      readEventsFunction,
    ]
      .map((make) => make(schema))
      .join("\n"),
};
