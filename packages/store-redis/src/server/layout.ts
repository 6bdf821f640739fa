import { randomBytes } from "node:crypto";
import { AgentError } from "@agents/schema/error";
import { defineRecordFormat } from "@agents/schema/record";
import type { RedisServer } from "./redis-server.ts";
import { toStoreError } from "./to-store-error.ts";

/** What all processes over the same prefix have to agree on. Written by the first of them, read by all. */
export interface Layout {
  readonly buckets: number;
  /** Seals cursors, so that each process takes those of the others and nobody else's. */
  readonly seal: string;
}

const layoutFormat = defineRecordFormat({ what: "The layout of the Redis store", version: 1, migrations: {} });

/** Throws FAILED_PRECONDITION when the data were laid out otherwise: sessions would not be found. */
export async function openLayout(server: RedisServer, key: string, buckets: number): Promise<Layout> {
  const mine = { version: layoutFormat.version, buckets, seal: randomBytes(16).toString("hex") };
  const text = await setOnce(server, key, JSON.stringify(mine));
  const found = readLayout(text, key);
  if (found.buckets === buckets) return found;
  throw new AgentError(
    "FAILED_PRECONDITION",
    `The sessions at ${key} were laid out in ${found.buckets} buckets and this store was given ${buckets}; use \`buckets: ${found.buckets}\`, or another prefix.`,
    { details: { found: found.buckets, given: buckets } },
  );
}

async function setOnce(server: RedisServer, key: string, text: string): Promise<unknown> {
  try {
    await server.send(key, ["SETNX", key, text]);
    return await server.send(key, ["GET", key]);
  } catch (error) {
    throw toStoreError(error);
  }
}

function readLayout(text: unknown, key: string): Layout {
  const record = parsed(text);
  return layoutFormat.read(record?.version, record, key) as Layout;
}

function parsed(text: unknown): { version?: unknown } | undefined {
  try {
    return JSON.parse(String(text));
  } catch {
    return undefined;
  }
}
