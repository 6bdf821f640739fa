import type { AgentContext, Span } from "@agents/schema/port";
import type { Inbound } from "./inbound.ts";

/** One request on its way through a route. */
export interface Exchange {
  readonly inbound: Inbound;
  /** For messages: "POST /agents/{name}". */
  readonly route: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly context: AgentContext;
  readonly span: Span | undefined;
}
