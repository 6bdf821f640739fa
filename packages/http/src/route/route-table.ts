import { AGENT_PATHS } from "@agents/schema/route";
import { TrieRouter } from "hono/router/trie-router";
import { HttpError } from "../edge/http-error.ts";
import { followTurnRoute } from "./follow-turn.ts";
import { listAgentsRoute } from "./list-agents.ts";
import { openApiRoute } from "./open-api-route.ts";
import { runAgentRoute } from "./run-agent.ts";
import { runFlowRoute } from "./run-flow.ts";
import type { RouteHandler, Services } from "./services.ts";
import { abortRoute, getSnapshotRoute, listSnapshotsRoute, waitForSnapshotRoute } from "./snapshot-routes.ts";

export interface MountedRoute {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** With parameters in braces. */
  readonly path: string;
  readonly run: RouteHandler;
}

export interface Matched {
  /** With its name for messages: "POST /agents/{name}". */
  readonly route: MountedRoute & { readonly name: string };
  readonly params: Readonly<Record<string, string>>;
}

/** Routes of agents and flows. Those of the resources would be further lines of the same kind, under their prefix. */
export function agentRoutes(services: Services, openApi: () => unknown): readonly MountedRoute[] {
  return [
    { method: "POST", path: AGENT_PATHS.runAgent, run: runAgentRoute(services) },
    { method: "POST", path: AGENT_PATHS.runFlow, run: runFlowRoute(services) },
    { method: "GET", path: AGENT_PATHS.followTurn, run: followTurnRoute(services) },
    { method: "POST", path: AGENT_PATHS.getSnapshot, run: getSnapshotRoute(services) },
    { method: "POST", path: AGENT_PATHS.listSnapshots, run: listSnapshotsRoute(services) },
    { method: "POST", path: AGENT_PATHS.abort, run: abortRoute(services) },
    { method: "POST", path: AGENT_PATHS.waitForSnapshot, run: waitForSnapshotRoute(services) },
    { method: "GET", path: AGENT_PATHS.listAgents, run: listAgentsRoute(services) },
    { method: "GET", path: AGENT_PATHS.openApi, run: openApiRoute(openApi) },
  ];
}

/** Finds the route of a request. Throws NOT_FOUND, or 405 where the path has routes for other methods. */
export function createRouteTable(routes: readonly MountedRoute[]): (method: string, path: string) => Matched {
  const router = new TrieRouter<Matched["route"]>();
  for (const route of routes) {
    const name = `${route.method} ${route.path}`;
    router.add(route.method, route.path.replace(/\{(\w+)\}/g, ":$1"), { ...route, name });
  }
  const methods = [...new Set(routes.map(({ method }) => method))];

  function match(method: string, path: string): Matched | undefined {
    const [found] = router.match(method, path)[0];
    if (found === undefined) return undefined;
    const [route, params] = found;
    return { route, params: decoded(params as Record<string, string>) };
  }

  return (method, path) => {
    const found = match(method, path);
    if (found !== undefined) return found;
    const others = methods.filter((other) => match(other, path) !== undefined);
    if (others.length === 0) throw new HttpError(404, "NOT_FOUND", "There is nothing at this path.");
    const allow = others.join(", ");
    throw new HttpError(405, "UNIMPLEMENTED", `This path takes ${allow}, not ${method}.`, { headers: { allow } });
  };
}

/** Decoded after matching, so that an encoded slash stays inside its parameter. */
function decoded(params: Record<string, string>): Record<string, string> {
  for (const [name, value] of Object.entries(params)) {
    if (!value.includes("%")) continue;
    try {
      params[name] = decodeURIComponent(value);
    } catch {
      throw new HttpError(400, "INVALID_ARGUMENT", `The path's ${name} is not percent-encoded UTF-8.`);
    }
  }
  return params;
}
