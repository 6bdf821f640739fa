export { AgentError, type AgentErrorOptions } from "./agent-error.ts";
export { HTTP_STATUS, statusFromHttp } from "./http-status.ts";
export { isStatus, STATUSES, type Status } from "./status.ts";
export { fromWireError, MASKED_MESSAGE, toAgentError, toWireError, type WireError } from "./wire-error.ts";
