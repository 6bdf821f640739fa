export { CONNECT_CLOSE_CODES } from "./connect-close-codes.ts";
export {
  AGENT_PATHS,
  DEFAULT_RESOURCE_PREFIX,
  fillPath,
  HEADERS,
  type PathParameter,
  RESOURCE_PATHS,
  STREAM_QUERY,
} from "./paths.ts";
export { formatPosition, POSITION_PATTERN, type Position, parsePosition } from "./position.ts";
