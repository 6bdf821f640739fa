import { createHandler } from "@agents/http";
import { type RunningServer, serve } from "@agents/http/node";
import type { AgentApi } from "@agents/schema/port";
import { defineSampleAgents, type SampleOptions } from "../agents/define-agents.ts";
import { withPage } from "./with-page.ts";

export interface SampleServerOptions extends SampleOptions {
  /** Folder of the built page. */
  readonly pageDir: string;
  /** 0: any that is free. */
  readonly port: number;
}

/** The agents under `/api`, and the page that talks to them. */
export function serveSample({ pageDir, port, ...options }: SampleServerOptions): Promise<RunningServer> {
  const agents = Object.values(defineSampleAgents(options)) as readonly AgentApi[];
  const handler = createHandler({ agents, basePath: "/api" });
  // Who asked for background work does not wait for it here; what runs when the process ends reads as expired.
  return serve({ handler: withPage(handler, pageDir), port, shutdown: { turns: "detach", deadlineMs: 2_000 } });
}
