import { hash } from "node:crypto";
import { AgentError } from "../error/index.ts";
import { canonicalJson } from "./canonical-json.ts";

/**
 * The digest of a list of messages: 64 lower-case hexadecimal digits, so it can be kept in memory or in a row. It is a
 * chain, m_i = H(m_(i-1) || H(canon(message_i))): knowing it for the first n messages is enough to append to them.
 */
export type MessagesDigest = string;

/** The digest of no messages, m_0 = H("agents.messages/1"). */
export const EMPTY_MESSAGES: MessagesDigest = sha256("agents.messages/1");

export interface HashedState {
  /** All messages, or their digest: then the cost does not grow with the conversation. */
  messages: readonly unknown[] | MessagesDigest;
  /** `undefined` when the agent has no state of its own. `null` is a state. */
  custom?: unknown;
  artifacts: readonly unknown[];
}

/**
 * The content address of a state: the same JSON has the same hash on every store and in every process.
 *
 * H is SHA-256. Strings (canonical JSON, the domain strings) go in as UTF-8; digests that are concatenated go in as
 * their raw 32 bytes; the result is 64 lower-case hexadecimal digits.
 *
 *     c = H(canon(custom)), or H("") when it is absent
 *     a = H(H(canon(artifact_1)) || … || H(canon(artifact_k)))
 *     stateHash = H("agents.state/1" || m_n || c || a)
 *
 * Throws INVALID_ARGUMENT, with the path, for values that have no canonical JSON; see `canonicalJson`.
 */
export function stateHash({ messages, custom, artifacts }: HashedState): string {
  const m = typeof messages === "string" ? checked(messages) : chain(EMPTY_MESSAGES, messages, "/messages");
  const c = custom === undefined ? EMPTY : sha256(canonicalJson(custom, "/custom"));
  const a = artifacts.length === 0 ? EMPTY : sha256OfBytes(artifacts.map(artifactDigest).join(""));
  return sha256OfBytes(STATE_DOMAIN + m + c + a);
}

/**
 * The digest after `messages` were appended to those that `digest` stands for. Throws INVALID_ARGUMENT for a message
 * that has no canonical JSON; its path counts from the first message given here.
 */
export function extendMessages(digest: MessagesDigest, messages: readonly unknown[]): MessagesDigest {
  return chain(checked(digest), messages, "");
}

const EMPTY = sha256("");
const STATE_DOMAIN = Buffer.from("agents.state/1").toString("hex");
const DIGEST = /^[0-9a-f]{64}$/;

function chain(digest: MessagesDigest, messages: readonly unknown[], at: string): MessagesDigest {
  let result = digest;
  for (let index = 0; index < messages.length; index++) {
    result = sha256OfBytes(result + sha256(canonicalJson(messages[index], `${at}/${index}`)));
  }
  return result;
}

function artifactDigest(artifact: unknown, index: number): string {
  return sha256(canonicalJson(artifact, `/artifacts/${index}`));
}

function checked(digest: string): MessagesDigest {
  if (DIGEST.test(digest)) return digest;
  throw new AgentError(
    "INVALID_ARGUMENT",
    `A digest of messages has 64 lower-case hexadecimal digits, not ${JSON.stringify(digest.slice(0, 70))}; start from EMPTY_MESSAGES.`,
  );
}

// Digests are kept as text between steps: one-shot hashing to text takes half the time of hashing to a Buffer.
function sha256(text: string): string {
  return hash("sha256", text, "hex");
}

function sha256OfBytes(hex: string): string {
  return hash("sha256", Buffer.from(hex, "hex"), "hex");
}
