export { formatPointer, isPlainObject, jsonEqual, MAX_DEPTH, type PointerToken, parsePointer } from "../json/index.ts";
export { applyPatch, MAX_COPIED } from "./apply-patch.ts";
export { diff, MAX_OPERATIONS } from "./diff.ts";
export type { PatchOperation } from "./patch-operation.ts";
