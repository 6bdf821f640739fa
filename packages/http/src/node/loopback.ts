import type { IncomingMessage } from "node:http";
import { AgentError } from "@agents/schema/error";
import { refusal } from "./raw-response.ts";

export const LOOPBACK = "127.0.0.1";

export const NOT_THIS_HOST = refusal(
  403,
  "PERMISSION_DENIED",
  'Without the option "authenticate" this server answers only to localhost and 127.0.0.1.',
);

/** Throws for a server that everybody could use: without `authenticate` only this machine may reach it. */
export function checkHostname(hostname: string): void {
  if (isLoopback(hostname)) return;
  throw new AgentError(
    "FAILED_PRECONDITION",
    `Cannot serve on ${JSON.stringify(hostname)} without authentication: give the option "authenticate", or leave "hostname" out to serve on ${LOOPBACK} only.`,
    { details: { hostname } },
  );
}

/**
 * Whether a request names this machine as its host. A page of any site can have its name point here (DNS rebinding), and
 * would then be of the same origin.
 */
export function isForLoopback({ headers }: Pick<IncomingMessage, "headers">): boolean {
  const host = headers.host ?? "";
  return isLoopback(host.startsWith("[") ? host.slice(1, host.indexOf("]")) : host.replace(/:\d+$/, ""));
}

function isLoopback(hostname: string): boolean {
  return /^(localhost|[a-z0-9-]+\.localhost|127(\.\d{1,3}){3}|::1)$/i.test(hostname);
}
