import { randomUUID } from "node:crypto";
import type { IdSource } from "@agents/schema/port";

/** Random UUIDs of the machine's cryptographic source. */
export const systemIds: IdSource = { uuid: () => randomUUID() };
