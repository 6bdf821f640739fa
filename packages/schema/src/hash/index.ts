export { canonicalJson } from "./canonical-json.ts";
export { EMPTY_MESSAGES, extendMessages, type HashedState, type MessagesDigest, stateHash } from "./state-hash.ts";
