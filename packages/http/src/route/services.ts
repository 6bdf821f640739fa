import type { AgentApi, Clock, Store } from "@agents/schema/port";
import type { Authorize } from "../edge/authenticate.ts";
import type { ErrorDesk } from "../edge/error-desk.ts";
import type { Exchange } from "../edge/exchange.ts";
import type { Reply } from "../edge/reply.ts";
import type { Limits } from "../limit/limits.ts";
import type { OpenStreams } from "../limit/open-streams.ts";
import type { Attendance } from "../presence/attendance.ts";
import type { Work } from "../presence/work.ts";
import type { ServedFlow } from "./served-flow.ts";

/** What the routes of one handler share. */
export interface Services {
  readonly agents: ReadonlyMap<string, AgentApi>;
  readonly flows: ReadonlyMap<string, ServedFlow>;
  /** Asked whether they are there. */
  readonly stores: readonly Store[];
  readonly authorize: Authorize | undefined;
  readonly limits: Required<Limits>;
  readonly errors: ErrorDesk;
  readonly attendance: Attendance;
  readonly work: Work;
  readonly streams: OpenStreams;
  readonly clock: Clock;
  readonly keepaliveMs: number;
}

export type RouteHandler = (exchange: Exchange) => Promise<Reply>;
