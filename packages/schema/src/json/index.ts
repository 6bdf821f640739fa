export { cloneJson } from "./clone-json.ts";
export { invalidArgument } from "./invalid-argument.ts";
export { jsonEqual, jsonEqualAt } from "./json-equal.ts";
export { isPlainObject, ownMember, type PlainObject } from "./plain-object.ts";
export {
  formatPointer,
  isRefusedToken,
  MAX_DEPTH,
  type PointerToken,
  parsePointer,
  quoted,
  shortened,
} from "./pointer.ts";
export { refuseTooDeep } from "./refuse-too-deep.ts";
