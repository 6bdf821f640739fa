import { HEADERS } from "@agents/schema/route";
import { HttpError } from "./http-error.ts";
import type { Inbound } from "./inbound.ts";
import type { Reply } from "./reply.ts";

export interface CorsOptions {
  /** Origins of pages that may use the server: one, several, a rule, or "*" for all. */
  readonly origin: string | readonly string[] | ((origin: string) => boolean);
  /** Whether browsers may send cookies along. Not with "*". @default false */
  readonly credentials?: boolean;
  /** Request headers that pages may set. @default whatever they ask for */
  readonly allowHeaders?: readonly string[];
  /** Response headers that pages may read, beside ours. @default none */
  readonly exposeHeaders?: readonly string[];
  /** How long a browser may keep a preflight's answer, in seconds. @default 600 */
  readonly maxAgeSeconds?: number;
}

export interface OriginRules {
  /** Refuses a request that a page of another origin caused and the options do not allow: PERMISSION_DENIED. */
  check(inbound: Inbound): void;
  /** The answer to a browser that asks first. */
  preflight(inbound: Inbound): Reply;
  /** Headers that let the page read the answer. */
  headersFor(inbound: Inbound): Readonly<Record<string, string>> | undefined;
}

const METHODS = "GET, HEAD, POST, PATCH, DELETE";

/**
 * One rule for requests and WebSockets: what a browser sends on behalf of a page of another origin is refused unless the
 * options allow that origin. Cookies alone therefore never let a foreign page act for a user.
 */
export function createOriginRules(options: CorsOptions | undefined): OriginRules {
  const allows = options === undefined ? () => false : allowedBy(options.origin);
  const exposed = [HEADERS.turnId, HEADERS.correlationId, ...(options?.exposeHeaders ?? [])].join(", ");

  function headersFor(inbound: Inbound): Record<string, string> | undefined {
    if (options === undefined) return undefined;
    const origin = inbound.header("origin");
    if (origin === null || !allows(origin)) return { vary: "Origin" };
    return {
      "access-control-allow-origin": options.origin === "*" ? "*" : origin,
      "access-control-expose-headers": exposed,
      ...(options.credentials === true ? { "access-control-allow-credentials": "true" } : {}),
      ...(options.origin === "*" ? {} : { vary: "Origin" }),
    };
  }

  return {
    check(inbound) {
      const origin = inbound.header("origin");
      if (origin === null || isSameOrigin(origin, inbound) || allows(origin)) return;
      throw new HttpError(
        403,
        "PERMISSION_DENIED",
        `Requests from pages of ${origin.slice(0, 200)} are not allowed; add it to the option cors.origin if they should be.`,
      );
    },
    preflight(inbound) {
      const wanted = options?.allowHeaders?.join(", ") ?? inbound.header("access-control-request-headers") ?? "";
      return {
        status: 204,
        headers: {
          ...headersFor(inbound),
          vary: "Origin, Access-Control-Request-Headers",
          "access-control-allow-methods": METHODS,
          "access-control-max-age": String(options?.maxAgeSeconds ?? 600),
          ...(wanted === "" ? {} : { "access-control-allow-headers": wanted }),
        },
        body: null,
      };
    },
    headersFor,
  };
}

/** By host: behind a proxy that ends TLS the scheme differs. */
function isSameOrigin(origin: string, inbound: Inbound): boolean {
  const host = inbound.header("host") ?? hostOf(inbound.url);
  return host !== undefined && hostOf(origin) === host.toLowerCase();
}

function hostOf(url: string): string | undefined {
  const start = url.indexOf("://");
  if (start === -1) return undefined;
  const end = url.indexOf("/", start + 3);
  return url.slice(start + 3, end === -1 ? undefined : end).toLowerCase();
}

function allowedBy(origin: CorsOptions["origin"]): (origin: string) => boolean {
  if (typeof origin === "function") return origin;
  if (origin === "*") return () => true;
  const listed = new Set(typeof origin === "string" ? [origin] : origin);
  return (given) => listed.has(given);
}
