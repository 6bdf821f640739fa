import { AgentError } from "@agents/schema/error";

type Mapped = readonly [status: AgentError["status"], message: string];

/** What went wrong, by the server's code (SQLSTATE) or the first two characters of it. Messages complete a sentence. */
const BY_SQLSTATE: Readonly<Record<string, Mapped>> = {
  "08": ["UNAVAILABLE", "the connection to the server was lost"],
  "57P01": ["UNAVAILABLE", "the server ended the connection (it shuts down, or an administrator did)"],
  "57P02": ["UNAVAILABLE", "the server restarts after a crash"],
  "57P03": ["UNAVAILABLE", "the server is starting up or shutting down"],
  "57P05": ["UNAVAILABLE", "the server ended a connection that was idle too long"],
  "53300": ["UNAVAILABLE", "the server has no connection left; lower poolSize, or raise max_connections"],
  "25006": ["UNAVAILABLE", "the server is read-only (a standby); connect to the primary"],
  "57014": ["UNAVAILABLE", "the statement was cancelled, most likely by its timeout (statementTimeoutMs)"],
  "25P03": ["UNAVAILABLE", "the server ended an idle transaction"],
  "55P03": ["UNAVAILABLE", "a lock was not to be had in time"],
  "40": ["UNAVAILABLE", "the server rolled it back because of concurrent work, more than once"],
  "53100": ["RESOURCE_EXHAUSTED", "the server's disk is full"],
  "53200": ["RESOURCE_EXHAUSTED", "the server is out of memory"],
  "53": ["RESOURCE_EXHAUSTED", "the server is short of a resource"],
  "58030": ["UNAVAILABLE", "the server could not read or write its files"],
  XX001: ["DATA_LOSS", "the server found a damaged page"],
  XX002: ["DATA_LOSS", "the server found a damaged index"],
  "54": ["INVALID_ARGUMENT", "an id or text is longer than the server can keep or index"],
  "22": ["INVALID_ARGUMENT", "the server refused a value"],
  "28": ["UNAUTHENTICATED", "the server refused the user or password"],
  "42501": ["PERMISSION_DENIED", "the database user lacks a privilege on the schema or its tables"],
  "3D000": ["FAILED_PRECONDITION", "the database does not exist; create it, or correct the connection string"],
};

/** No schema, table, function, type or column of that name. */
const NOT_MIGRATED: ReadonlySet<string> = new Set(["3F000", "42P01", "42883", "42704", "42703"]);

/** The connection broke, or none was to be had. Most are Node's codes, some of the driver's errors have but a message. */
const LOST_CODE =
  /^(E(CONN|PIPE|TIMEDOUT|HOST|NET|AI_AGAIN|ADDR)|ENOTFOUND|ENOENT|ERR_SOCKET|ERR_STREAM|ERR_SSL|ERR_TLS)/;
const LOST_MESSAGE =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|timeout expired|This socket has been ended|Connection ended|read E|write E)/;

/** Serialization failure and deadlock: nothing was done, and the same again will most likely do. */
export function isRetryable(error: unknown): boolean {
  const code = codeOf(error);
  return code === "40001" || code === "40P01";
}

/** Two callers made the same row at the same moment: the second look finds it. */
export function isDuplicate(error: unknown): boolean {
  return codeOf(error) === "23505";
}

/**
 * What a caller is told instead of the driver's error, whose texts may hold values and addresses. That stays the cause,
 * which is no part of the wire form.
 */
export function mapError(error: unknown, what: string, schema: string): AgentError {
  if (AgentError.is(error)) return error;
  const code = codeOf(error);
  const [status, reason] = mappingOf(error, code, schema);
  return new AgentError(status, `Postgres store, ${what}: ${reason}.`, {
    details: { operation: what, ...(code === undefined ? {} : { code }) },
    cause: error,
  });
}

function mappingOf(error: unknown, code: string | undefined, schema: string): Mapped {
  const message = error instanceof Error ? error.message : "";
  if (code !== undefined) {
    const known = BY_SQLSTATE[code] ?? BY_SQLSTATE[code.slice(0, 2)];
    if (NOT_MIGRATED.has(code)) return ["FAILED_PRECONDITION", notMigrated(schema)];
    if (code.length === 5 && known !== undefined) return known;
    if (LOST_CODE.test(code))
      return ["UNAVAILABLE", `the server could not be reached or the connection broke (${code})`];
  }
  if (/timeout exceeded when trying to connect/.test(message)) {
    return [
      "UNAVAILABLE",
      "no connection was free in time (connectTimeoutMs); the pool is exhausted or the server slow",
    ];
  }
  if (/Query read timeout/.test(message))
    return ["UNAVAILABLE", "the server did not answer in time (statementTimeoutMs)"];
  if (LOST_MESSAGE.test(message)) return ["UNAVAILABLE", "the connection to the server was lost"];
  if (/after calling end on the pool/.test(message)) {
    return ["FAILED_PRECONDITION", "its pool was ended; give it one that lives as long as the store"];
  }
  if (/password|SASL|SCRAM/.test(message)) return ["UNAUTHENTICATED", "the server refused the user or password"];
  return ["INTERNAL", `the server or driver failed${code === undefined ? "" : ` with ${code}`}; see the cause`];
}

export function notMigrated(schema: string): string {
  return `the schema ${JSON.stringify(schema)} lacks what this version needs; run migrate() once before the store is used`;
}

function codeOf(error: unknown): string | undefined {
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : undefined;
}
