export { AgentError, type AgentErrorOptions } from "./agent-error.ts";
export { HTTP_STATUS, statusFromHttp } from "./http-status.ts";
export { isStatus, STATUSES, type Status } from "./status.ts";
export {
  fromResourceError,
  fromWireError,
  MASKED_MESSAGE,
  type ResourceError,
  toAgentError,
  toResourceError,
  toWireError,
  type WireError,
} from "./wire-error.ts";
