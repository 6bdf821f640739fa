import { AgentError } from "@agents/schema/error";

export interface Limits {
  /** Longest request body, in bytes; beyond it 413. @default 10_485_760 */
  readonly bodyBytes?: number;
  /** Longest WebSocket message, in bytes; beyond it the connection is closed with 1009. @default 10_485_760 */
  readonly messageBytes?: number;
  /** Longest head of a request, in bytes; beyond it 431. @default 16_384 */
  readonly headerBytes?: number;
  /** Deepest nesting of JSON in a body or message, in levels, at most 1,000; beyond it 400. @default 200 */
  readonly jsonDepth?: number;
  /** Streams and WebSockets that are open at the same time; beyond it 429. @default 10_000 */
  readonly openStreams?: number;
  /** Longest time that `waitForSnapshot` waits, in milliseconds; a client that wants longer asks again. @default 30_000 */
  readonly waitMs?: number;
}

export const DEFAULT_LIMITS: Required<Limits> = {
  bodyBytes: 10_485_760,
  messageBytes: 10_485_760,
  headerBytes: 16_384,
  jsonDepth: 200,
  openStreams: 10_000,
  waitMs: 30_000,
};

/** The schemas' own limit: deeper values would be refused by the agent anyway. */
const DEEPEST = 1_000;

export function resolveLimits(given: Limits = {}): Required<Limits> {
  const limits = { ...DEFAULT_LIMITS, ...given };
  for (const [name, value] of Object.entries(limits)) {
    if (!(value > 0)) throw new AgentError("INVALID_ARGUMENT", `limits.${name} is ${value}; it must be more than 0.`);
  }
  if (limits.jsonDepth > DEEPEST) {
    throw new AgentError("INVALID_ARGUMENT", `limits.jsonDepth is ${limits.jsonDepth}; it may be ${DEEPEST} at most.`);
  }
  return limits;
}
