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

/** The digest of a part of a state, and the UTF-8 bytes of its JSON: both come from one text. */
export interface MeasuredDigest {
  readonly digest: string;
  /** Of lists: of the elements and the commas between them, without brackets. */
  readonly bytes: number;
}

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
  return combineDigests({
    messages: typeof messages === "string" ? messages : chain(EMPTY_MESSAGES, messages, "/messages").digest,
    custom: digestCustom(custom).digest,
    artifacts: digestArtifacts(artifacts).digest,
  });
}

/** The same from the digests of its parts, for whoever keeps those of the parts that did not change. */
export function combineDigests({ messages, custom, artifacts }: Record<keyof HashedState, string>): string {
  return sha256OfBytes(STATE_DOMAIN + checked(messages) + checked(custom) + checked(artifacts));
}

/**
 * The digest after `messages` were appended to those that `digest` stands for. Throws INVALID_ARGUMENT for a message
 * that has no canonical JSON; its path counts from the first message given here.
 */
export function extendMessages(digest: MessagesDigest, messages: readonly unknown[]): MessagesDigest {
  return chain(checked(digest), messages, "").digest;
}

/** `extendMessages` with the bytes of the messages that are appended. */
export function measureMessages(digest: MessagesDigest, messages: readonly unknown[]): MeasuredDigest {
  return chain(checked(digest), messages, "");
}

/** c. Bytes are 0 when it is absent. */
export function digestCustom(custom: unknown): MeasuredDigest {
  return custom === undefined ? ABSENT : measured(canonicalJson(custom, "/custom"));
}

/** a. */
export function digestArtifacts(artifacts: readonly unknown[]): MeasuredDigest {
  if (artifacts.length === 0) return ABSENT;
  const each = artifacts.map((artifact, index) => measured(canonicalJson(artifact, `/artifacts/${index}`)));
  return {
    digest: sha256OfBytes(each.map(({ digest }) => digest).join("")),
    bytes: each.reduce((sum, { bytes }) => sum + bytes, each.length - 1),
  };
}

const ABSENT: MeasuredDigest = { digest: sha256(""), bytes: 0 };
const STATE_DOMAIN = Buffer.from("agents.state/1").toString("hex");
const DIGEST = /^[0-9a-f]{64}$/;
const DIGEST_BYTES = 32;
/** Two digests side by side, written over at each step: a buffer of its own for each would cost as much as hashing it. */
const LINK = Buffer.alloc(2 * DIGEST_BYTES);

function chain(start: MessagesDigest, messages: readonly unknown[], at: string): MeasuredDigest {
  let digest = start;
  let bytes = Math.max(0, messages.length - 1);
  for (let index = 0; index < messages.length; index++) {
    const message = measured(canonicalJson(messages[index], `${at}/${index}`));
    LINK.write(digest, 0, "hex");
    LINK.write(message.digest, DIGEST_BYTES, "hex");
    digest = hash("sha256", LINK, "hex");
    bytes += message.bytes;
  }
  return { digest, bytes };
}

/** JSON has as many bytes in canonical order as in any other. */
function measured(text: string): MeasuredDigest {
  return { digest: sha256(text), bytes: Buffer.byteLength(text) };
}

function checked(digest: string): MessagesDigest {
  if (DIGEST.test(digest)) return digest;
  throw new AgentError(
    "INVALID_ARGUMENT",
    `A digest has 64 lower-case hexadecimal digits, not ${JSON.stringify(digest.slice(0, 70))}; messages start from EMPTY_MESSAGES.`,
  );
}

// Digests are kept as text between steps: one-shot hashing to text takes half the time of hashing to a Buffer.
function sha256(text: string): string {
  return hash("sha256", text, "hex");
}

function sha256OfBytes(hex: string): string {
  return hash("sha256", Buffer.from(hex, "hex"), "hex");
}
