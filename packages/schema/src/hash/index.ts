export { canonicalJson } from "./canonical-json.ts";
export { makeSnapshotId, sessionRoute, snapshotRoute } from "./snapshot-id.ts";
export {
  combineDigests,
  digestArtifacts,
  digestCustom,
  EMPTY_MESSAGES,
  extendMessages,
  type HashedState,
  type MeasuredDigest,
  type MessagesDigest,
  measureMessages,
  stateHash,
} from "./state-hash.ts";
