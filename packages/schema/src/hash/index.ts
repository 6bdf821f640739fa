export { canonicalJson } from "./canonical-json.ts";
export { makeSnapshotId, sessionRoute, snapshotRoute } from "./snapshot-id.ts";
export { EMPTY_MESSAGES, extendMessages, type HashedState, type MessagesDigest, stateHash } from "./state-hash.ts";
