import { AgentError } from "@agents/schema/error";

export interface RequestPath {
  /** Below the base path, "/" at least. Undefined: the request is not for us. */
  readonly path: string | undefined;
  readonly query: URLSearchParams;
}

const NO_QUERY = new URLSearchParams();

/** Without `new URL`, which costs more than the rest of routing: servers hand over URLs that are in order. */
export function requestPath(url: string, basePath: string): RequestPath {
  const pathStart = url[0] === "/" ? 0 : url.indexOf("/", url.indexOf("://") + 3);
  const hash = url.indexOf("#");
  const end = hash === -1 ? url.length : hash;
  const question = url.indexOf("?", pathStart);
  const hasQuery = question !== -1 && question < end;
  const full = url.slice(pathStart, hasQuery ? question : end);
  const query = hasQuery ? new URLSearchParams(url.slice(question + 1, end)) : NO_QUERY;
  if (basePath === "") return { path: full, query };
  const below = full.startsWith(basePath) ? full.slice(basePath.length) : undefined;
  return { path: below === undefined || (below !== "" && below[0] !== "/") ? undefined : below || "/", query };
}

/** "/api/" and "api" mean "/api"; "/" means none. Throws for what cannot be the beginning of a path. */
export function normalizeBasePath(given: string): string {
  const path = given.replace(/^\/*/, "/").replace(/\/+$/, "");
  if (!/[?#{}*:\s]/.test(path)) return path;
  throw new AgentError(
    "INVALID_ARGUMENT",
    `basePath ${JSON.stringify(given)} is not a plain path; write one like "/api".`,
  );
}
