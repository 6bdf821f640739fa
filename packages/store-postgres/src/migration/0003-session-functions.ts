import { createSessionFunction } from "../function/create-session.ts";
import { deleteSessionFunction } from "../function/delete-session.ts";
import { exportSessionFunction } from "../function/export-session.ts";
import { pruneFunction } from "../function/prune.ts";
import type { Migration } from "./migration.ts";

export const sessionFunctions: Migration = {
  version: 3,
  name: "session functions",
  compatibleFrom: 1,
  sql: (schema) =>
    [createSessionFunction, deleteSessionFunction, pruneFunction, exportSessionFunction]
      .map((make) => make(schema))
      .join("\n"),
};
