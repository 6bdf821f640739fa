import * as z from "zod";
import { AgentDescriptionSchema, open } from "../../agent/index.ts";

const limit = () => z.number().int().positive().optional();

/** What this server can do, so that a client need not find out by failing. */
export const CapabilitiesSchema = open({
  agents: z.array(AgentDescriptionSchema),
  features: open({
    /** Turns keep an event log: they can be followed and re-joined. */
    events: z.boolean(),
    /** Sessions and snapshots can be listed, archived and deleted. */
    index: z.boolean(),
    detach: z.boolean(),
    abort: z.boolean(),
    webSocket: z.boolean(),
  }),
  limits: open({
    bodyBytes: limit(),
    messageBytes: limit(),
    headerBytes: limit(),
    jsonDepth: limit(),
    openStreams: limit(),
  }),
});
export type Capabilities = z.infer<typeof CapabilitiesSchema>;
