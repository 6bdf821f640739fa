import type { AgentApi, Clock, IdSource, Store, Telemetry } from "@agents/schema/port";
import type { Authenticate, Authorize } from "../edge/authenticate.ts";
import type { OnError } from "../edge/error-desk.ts";
import type { CorsOptions } from "../edge/origin.ts";
import type { Limits } from "../limit/limits.ts";
import type { OpenApiInfo } from "../openapi/build-open-api.ts";
import type { ServedFlow } from "../route/served-flow.ts";

export interface HandlerOptions {
  /** A list, served under their own names, or a record, served under its keys. */
  readonly agents: Iterable<AgentApi> | Readonly<Record<string, AgentApi>>;
  /** @default none */
  readonly flows?: Iterable<ServedFlow> | Readonly<Record<string, ServedFlow>>;
  /** Says who asks; without it everybody is the same anonymous caller, and `serve` binds to loopback only. */
  readonly authenticate?: Authenticate;
  /** Whether the caller may do this with this agent. @default whoever is authenticated may */
  readonly authorize?: Authorize;
  /** Where the routes begin: "/api". @default "" */
  readonly basePath?: string;
  /** Pages of other origins that may use the server. @default none */
  readonly cors?: CorsOptions;
  readonly limits?: Limits;
  readonly onDisconnect?: {
    /**
     * How long a turn goes on after its client left without anybody following it, in milliseconds; 0: it is aborted at
     * once. Turns that nobody could re-join (no event log, client-managed state, flows) always are. @default 30_000
     */
    readonly abortAfterMs?: number;
  };
  /** Time between comments on streams that allow them, in milliseconds. @default 15_000 */
  readonly keepaliveMs?: number;
  /** Asked by `/readyz`. @default those of the agents */
  readonly stores?: Iterable<Store>;
  readonly openApi?: OpenApiInfo;
  /** Hears of every error that leaves. Must not throw. @default masked errors go to `console.error` */
  readonly onError?: OnError;
  /** Spans of requests. Core's `createOtelTelemetry()` is one. @default none */
  readonly telemetry?: Telemetry;
  /** @default the machine's */
  readonly clock?: Clock;
  /** Of correlation ids where there is no trace. @default random UUIDs */
  readonly ids?: IdSource;
}
