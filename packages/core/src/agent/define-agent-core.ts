import type { AgentMetadata } from "@agents/schema/agent";
import { toJsonSchema } from "../bidi/action-json-schemas.ts";
import type { AgentSpec } from "../invocation/agent-spec.ts";
import { DEFAULT_POLICY, type SnapshotPolicy } from "../invocation/snapshot-policy.ts";
import { createStateCache } from "../snapshot/state-cache.ts";
import { abortedOutcome, lostOutcome } from "../turn/closing-outcome.ts";
import type { TurnDesk, TurnRules } from "../turn/turn-desk.ts";
import type { AgentCore } from "./agent-core.ts";
import type { AgentDefinition, AgentOptions } from "./agent-options.ts";
import { checkOptions } from "./check-options.ts";
import { Readiness } from "./readiness.ts";
import type { Runtime } from "./runtime.ts";

/** Checks a definition and gives it its place. Throws before anything is registered. */
export function defineAgentCore<Custom, Status>(
  runtime: Runtime,
  { options, bind }: AgentDefinition<Custom, Status>,
): AgentCore<Custom, Status> {
  const store = options.stateManagement === "client" ? undefined : (options.store ?? runtime.defaultStore);
  checkOptions(options, store !== undefined);
  const { run, check } = bind(runtime.lookUp);
  const { name, stateSchema, statusSchema, initialCustom, resumeFrom = "completed", clientTransform, media } = options;
  const spec: AgentSpec<Custom, Status> = {
    name,
    run,
    stateSchema,
    statusSchema,
    initialCustom,
    resumeFrom,
    snapshot: options.snapshot ?? (DEFAULT_POLICY as SnapshotPolicy<Custom>),
    clientTransform,
    limits: options.limits ?? {},
    media,
    recordState: runtime.recordState,
  };
  const share = store && runtime.sharedBy(store);
  const desk: TurnDesk | undefined = share && {
    ...share,
    rules: rulesOf(options),
    clock: runtime.clock,
    ids: runtime.ids,
    expiryMs: runtime.lease.expiryMs,
    pollMs: runtime.pollMs,
    log: runtime.log,
    cache: createStateCache({ maxSessions: runtime.cachedSessions }),
    closing: {
      pending: lostOutcome(runtime.clock),
      aborting: abortedOutcome(runtime.clock),
      heads: resumableBy(options),
    },
  };
  return {
    spec,
    runtime,
    store,
    stored: share && desk && { desk, queue: share.queue },
    readiness: check && new Readiness(check),
    description: options.description,
    metadata: metadataOf(options, store !== undefined),
  };
}

function resumableBy<Custom, Status>({ resumeFrom }: AgentOptions<Custom, Status>): TurnRules["resumable"] {
  return resumeFrom === "settled" ? ["completed", "failed", "aborted"] : ["completed"];
}

function rulesOf<Custom, Status>(options: AgentOptions<Custom, Status>): TurnRules {
  return {
    agent: options.name,
    resumable: resumableBy(options),
    concurrency: options.concurrency ?? "reject",
    ifForked: options.ifForked ?? "newest",
  };
}

function metadataOf<Custom, Status>(
  { metadata, stateSchema }: AgentOptions<Custom, Status>,
  hasStore: boolean,
): AgentMetadata {
  const base = { ...metadata, stateManagement: hasStore ? "server" : "client", abortable: hasStore } as const;
  if (stateSchema === undefined) return base;
  return { ...base, stateSchema: toJsonSchema(stateSchema, "output") };
}
