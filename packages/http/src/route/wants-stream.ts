import { STREAM_QUERY } from "@agents/schema/route";
import type { Exchange } from "../edge/exchange.ts";

/** The query decides; without it the Accept header does. */
export function wantsStream({ inbound, query }: Pick<Exchange, "inbound" | "query">): boolean {
  const asked = query.get(STREAM_QUERY);
  if (asked !== null) return asked === "true";
  return inbound.header("accept")?.includes("text/event-stream") ?? false;
}
