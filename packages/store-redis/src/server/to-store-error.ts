import { AgentError, type Status } from "@agents/schema/error";

interface Cause {
  readonly status: Status;
  /** What it means and what to do. Never what the server or the socket said: that may name hosts and users. */
  readonly message: string;
}

const AWAY = "repeat the call later";

/** By the word that an error of the server begins with; scripts wrap it into their own, so it is looked for inside, too. */
const BY_WORD: Readonly<Record<string, Cause>> = {
  OOM: { status: "RESOURCE_EXHAUSTED", message: "Redis has reached its maxmemory; give it more, or prune sessions." },
  WRONGTYPE: {
    status: "DATA_LOSS",
    message: "A key of the Redis store holds something else; was it written by others?",
  },
  READONLY: { status: "UNAVAILABLE", message: `Redis is a read-only replica at the moment; ${AWAY}.` },
  LOADING: { status: "UNAVAILABLE", message: `Redis is loading its data; ${AWAY}.` },
  BUSY: { status: "UNAVAILABLE", message: `Redis is busy with a script; ${AWAY}.` },
  MISCONF: { status: "UNAVAILABLE", message: "Redis cannot write to its disk and takes no writes; see its log." },
  MASTERDOWN: { status: "UNAVAILABLE", message: `Redis has no master at the moment; ${AWAY}.` },
  NOREPLICAS: { status: "UNAVAILABLE", message: `Redis has too few replicas to take writes; ${AWAY}.` },
  CLUSTERDOWN: { status: "UNAVAILABLE", message: `The Redis cluster is down; ${AWAY}.` },
  TRYAGAIN: { status: "UNAVAILABLE", message: `The Redis cluster is moving this slot; ${AWAY}.` },
  MOVED: { status: "UNAVAILABLE", message: "The slot is on another node; give the store a cluster client." },
  ASK: { status: "UNAVAILABLE", message: "The slot is moving to another node; give the store a cluster client." },
  CROSSSLOT: { status: "FAILED_PRECONDITION", message: "The prefix of the Redis store breaks its hash tags." },
  NOAUTH: { status: "UNAUTHENTICATED", message: "Redis asks for a password; put it into the URL or the client." },
  WRONGPASS: { status: "UNAUTHENTICATED", message: "Redis does not take this user and password." },
  NOPERM: { status: "PERMISSION_DENIED", message: "The Redis user may not do what the store needs; see its README." },
};

const WORDS = new RegExp(`(?:^|[\\s:-])(${Object.keys(BY_WORD).join("|")})(?=\\s)`);

/** What cmsgpack says of bytes that it did not write, and Lua of records that lack their parts. */
const UNREADABLE = /Bad data format in input|Missing bytes in input|Extra bytes in input|attempt to .*\(a \w+ value\)/;

/** An error of node-redis, of the server or of the socket, as one of ours. The original stays inside, as its cause. */
export function toStoreError(error: unknown): AgentError {
  if (AgentError.is(error)) return error;
  const { name, text } = described(error);
  const { status, message } = causeOf(name, text);
  return new AgentError(status, message, { cause: error });
}

export function isMissingScript(error: unknown): boolean {
  return described(error).text.startsWith("NOSCRIPT");
}

function described(error: unknown): { name: string; text: string } {
  if (!(error instanceof Error)) return { name: "", text: String(error) };
  return { name: error.constructor.name, text: error.message };
}

function causeOf(name: string, text: string): Cause {
  const word = WORDS.exec(text)?.[1];
  const known = word === undefined ? undefined : BY_WORD[word];
  if (known !== undefined) return known;
  if (UNREADABLE.test(text)) {
    return { status: "DATA_LOSS", message: "A record of the Redis store does not decode: it was damaged." };
  }
  if (name === "ClientClosedError") {
    return { status: "FAILED_PRECONDITION", message: "The Redis client is not connected, or was closed; connect it." };
  }
  if (name === "SimpleError" || name === "BlobError" || name === "ErrorReply") return refusedBy(text);
  return { status: "UNAVAILABLE", message: `Redis cannot be reached, or the connection was lost; ${AWAY}.` };
}

function refusedBy(text: string): Cause {
  return /max number of clients/.test(text)
    ? { status: "UNAVAILABLE", message: "Redis takes no more clients; raise its maxclients or use fewer." }
    : { status: "INTERNAL", message: "Redis refused a command of the store, which is a fault of the store." };
}
