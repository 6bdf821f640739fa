import { AgentError } from "@agents/schema/error";
import type { AgentApi, AgentContext, Span, Store } from "@agents/schema/port";
import { AGENT_PATHS } from "@agents/schema/route";
import { authenticateRequest } from "../edge/authenticate.ts";
import { createErrorDesk, logMasked } from "../edge/error-desk.ts";
import type { Exchange } from "../edge/exchange.ts";
import { type Inbound, webInbound } from "../edge/inbound.ts";
import { createOriginRules } from "../edge/origin.ts";
import type { Reply } from "../edge/reply.ts";
import { normalizeBasePath, requestPath } from "../edge/request-path.ts";
import { traced } from "../edge/traced.ts";
import { checkHeaders } from "../limit/check-headers.ts";
import { resolveLimits } from "../limit/limits.ts";
import { OpenStreams } from "../limit/open-streams.ts";
import { buildOpenApi } from "../openapi/build-open-api.ts";
import { Attendance } from "../presence/attendance.ts";
import { systemClock, systemIds } from "../presence/system-clock.ts";
import { Work } from "../presence/work.ts";
import { findAgent, storeOf } from "../route/find-agent.ts";
import { healthReply, readyReply } from "../route/health-routes.ts";
import { agentRoutes, createRouteTable, type Matched } from "../route/route-table.ts";
import type { Services } from "../route/services.ts";
import { connectAgent } from "../socket/connect-agent.ts";
import type { AcceptSocket } from "../socket/socket.ts";
import { toResponse } from "../stream/to-response.ts";
import type { Handler } from "./handler.ts";
import type { HandlerOptions } from "./handler-options.ts";

/**
 * Serves agents, in this process or elsewhere. The result is a web-standard handler: mount it wherever a Request becomes a
 * Response. Throws INVALID_ARGUMENT for options that cannot be.
 */
export function createHandler(options: HandlerOptions): Handler {
  const basePath = normalizeBasePath(options.basePath ?? "");
  const services = createServices(options);
  const { errors, limits, work } = services;
  const { authenticate, telemetry } = options;
  const origins = createOriginRules(options.cors);
  const openApi = (): unknown =>
    buildOpenApi({ ...options.openApi, basePath, authenticated: authenticate !== undefined });
  const find = createRouteTable(agentRoutes(services, openApi));
  const findSocket = createRouteTable([{ method: "GET", path: AGENT_PATHS.connect, run: notHere }]);

  /** What can be said of a request before it is known who asks. */
  function matched(inbound: Inbound, findRoute: typeof find): Matched & { query: URLSearchParams } {
    checkHeaders(inbound, limits.headerBytes);
    const { path, query } = requestPath(inbound.url, basePath);
    const { route, params } = findRoute(inbound.method, path ?? "");
    origins.check(inbound);
    return { route, params, query };
  }

  async function answer(inbound: Inbound, span?: Span): Promise<Reply> {
    let route = inbound.method;
    try {
      const early = answerEarly(inbound);
      if (early !== undefined) return await early;
      const found = matched(inbound, find);
      const { params, query } = found;
      route = found.route.name;
      span?.setAttributes({ "http.route": route });
      const context = authenticate === undefined ? NOBODY : await authenticateRequest(authenticate, inbound.request);
      // Awaited here, for the sake of what it throws.
      return await found.route.run({ inbound, route, params, query, context, span });
    } catch (error) {
      return errors.reply(error, { route, span });
    }
  }

  /** What needs neither a route nor a caller. */
  function answerEarly(inbound: Inbound): Reply | Promise<Reply> | undefined {
    const { method } = inbound;
    if (method === "OPTIONS" && inbound.header("access-control-request-method") !== null) {
      return origins.preflight(inbound);
    }
    if (method !== "GET" && method !== "HEAD") return undefined;
    const { path } = requestPath(inbound.url, basePath);
    if (path === AGENT_PATHS.health) return healthReply();
    if (path === AGENT_PATHS.ready) return readyReply(services);
    return undefined;
  }

  function reply(inbound: Inbound): Promise<Reply> {
    const answered =
      telemetry === undefined ? answer(inbound) : traced(telemetry, inbound, (span) => answer(inbound, span));
    if (options.cors === undefined) return answered;
    return answered.then((given) => ({ ...given, headers: { ...given.headers, ...origins.headersFor(inbound) } }));
  }

  async function upgrade(inbound: Inbound): Promise<Reply | AcceptSocket> {
    const place = { route: `GET ${AGENT_PATHS.connect}`, span: undefined };
    try {
      const { params, query } = matched(inbound, findSocket);
      const context = authenticate === undefined ? NOBODY : await authenticateRequest(authenticate, inbound.request);
      const exchange: Exchange = { inbound, params, query, context, ...place };
      const agent = await findAgent(services, exchange, "connect");
      work.check();
      services.streams.check();
      return (socket) => connectAgent(socket, { agent, exchange, services });
    } catch (error) {
      return errors.reply(error, place);
    }
  }

  const handle = async (request: Request): Promise<Response> => toResponse(await reply(webInbound(request)));
  return Object.assign(handle, {
    reply,
    upgrade,
    drain: work.drain.bind(work),
    authenticated: authenticate !== undefined,
    limits,
    activity: activityOf(services),
  });
}

/** Without authentication everybody is the same. */
const NOBODY: AgentContext = Object.freeze({});

function createServices(options: HandlerOptions): Services {
  const { clock = systemClock, ids = systemIds, keepaliveMs = 15_000 } = options;
  const { abortAfterMs = 30_000 } = options.onDisconnect ?? {};
  if (!(abortAfterMs >= 0))
    throw new AgentError("INVALID_ARGUMENT", `abortAfterMs is ${abortAfterMs}; 0 is the least.`);
  if (!(keepaliveMs > 0)) throw new AgentError("INVALID_ARGUMENT", `keepaliveMs is ${keepaliveMs}; it must be more.`);
  const limits = resolveLimits(options.limits);
  const agents = byName(options.agents, "agent");
  return {
    agents,
    flows: byName(options.flows ?? [], "flow"),
    stores: [...new Set(options.stores ?? storesOf(agents.values()))],
    authorize: options.authorize,
    limits,
    errors: createErrorDesk({ ids, onError: options.onError ?? logMasked }),
    attendance: new Attendance(clock, abortAfterMs),
    work: new Work(clock),
    streams: new OpenStreams(limits.openStreams),
    clock,
    keepaliveMs,
  };
}

function byName<Served extends { readonly name: string }>(
  given: Iterable<Served> | Readonly<Record<string, Served>>,
  kind: string,
): ReadonlyMap<string, Served> {
  const entries = isIterable(given) ? [...given].map((one) => [one.name, one] as const) : Object.entries(given);
  const served = new Map<string, Served>();
  for (const [name, one] of entries) {
    if (served.has(name)) {
      throw new AgentError("ALREADY_EXISTS", `Two ${kind}s are named '${name}'; serve one of them under another name.`);
    }
    served.set(name, one);
  }
  return served;
}

function isIterable<T>(given: Iterable<T> | Readonly<Record<string, T>>): given is Iterable<T> {
  return Symbol.iterator in given;
}

function* storesOf(agents: Iterable<AgentApi>): Iterable<Store> {
  for (const agent of agents) {
    const store = storeOf(agent);
    if (store !== undefined) yield store;
  }
}

function activityOf({ streams, work, attendance }: Services): Handler["activity"] {
  return {
    get openStreams() {
      return streams.count;
    },
    get clients() {
      return work.clients;
    },
    get running() {
      return work.running;
    },
    get attended() {
      return attendance.size;
    },
  };
}

function notHere(): Promise<Reply> {
  throw new AgentError("UNIMPLEMENTED", "This path is for WebSockets.");
}
