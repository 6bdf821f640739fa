import { AgentError } from "@agents/schema/error";

export const STORES = ["file", "memory", "postgres", "redis"] as const;
export type StoreName = (typeof STORES)[number];

/** What the environment asks for. */
export interface Settings {
  /** 0: any that is free. */
  readonly port: number;
  readonly store: StoreName;
  /** Of the file store. */
  readonly directory: string;
  readonly postgresUrl: string | undefined;
  readonly redisUrl: string | undefined;
}

/** Throws INVALID_ARGUMENT, naming the variable, what it holds and what it takes. */
export function readSettings(env: Readonly<Record<string, string | undefined>>): Settings {
  const store = env["STORE"] ?? "file";
  if (!isStore(store)) throw refusal("STORE", store, STORES.join(", "));
  if (store === "postgres" && !env["POSTGRES_URL"]) throw missing("POSTGRES_URL", store);
  if (store === "redis" && !env["REDIS_URL"]) throw missing("REDIS_URL", store);
  return {
    port: readPort(env["PORT"] ?? "3000"),
    store,
    directory: env["STORE_DIRECTORY"] ?? ".agents",
    postgresUrl: env["POSTGRES_URL"],
    redisUrl: env["REDIS_URL"],
  };
}

function isStore(name: string): name is StoreName {
  return (STORES as readonly string[]).includes(name);
}

function readPort(text: string): number {
  const port = Number(text);
  if (text.trim() !== "" && Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw refusal("PORT", text, "a number from 0 (any free port) to 65535");
}

function refusal(variable: string, value: string, takes: string): AgentError {
  return new AgentError("INVALID_ARGUMENT", `${variable} is ${JSON.stringify(value)}; it takes ${takes}.`);
}

function missing(variable: string, store: StoreName): AgentError {
  return new AgentError("INVALID_ARGUMENT", `STORE is "${store}", but ${variable} is not set: say where it is.`);
}
