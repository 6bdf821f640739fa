import { AgentError } from "@agents/schema/error";
import type { AgentContext, Caller, Clock, IdSource, Model, Store, Telemetry } from "@agents/schema/port";
import { createRegistry, type Registry } from "../bidi/create-registry.ts";
import { systemClock } from "../clock/system-clock.ts";
import { systemIds } from "../clock/system-ids.ts";
import type { AgentFunction } from "../invocation/agent-spec.ts";
import { createOtelTelemetry } from "../telemetry/create-otel-telemetry.ts";
import { measuredStore } from "../telemetry/measured-store.ts";
import { createAbortWatches } from "../turn/abort-watch.ts";
import { createLeaseKeeper } from "../turn/lease-keeper.ts";
import { createLiveTurns } from "../turn/live-turns.ts";
import { type Agent, createAgent } from "./agent.ts";
import type { AgentDefinition, AgentOptions, DefineAgent, DefineConversation } from "./agent-options.ts";
import { checkCaller } from "./check-caller.ts";
import { registerAgent } from "./companions.ts";
import { defineAgentCore } from "./define-agent-core.ts";
import { promptAgent, wordedAgent } from "./prompt-agent.ts";
import { lookUpIn, type Registrations, registrations } from "./registrations.ts";
import type { Runtime, StoreShare } from "./runtime.ts";

export interface AgentsOptions {
  /** Of agents that name none. Without a store, clients carry the state. */
  readonly store?: Store;
  /** Of prompt agents that name none. */
  readonly model?: Model;
  /** Where agents and their companion actions can be found. @default one of its own */
  readonly registry?: Registry;
  readonly lease?: {
    /** How often a live turn says so, in milliseconds. @default 20_000 */
    readonly heartbeatMs?: number;
    /** Silence after which a turn reads as expired, in milliseconds. More than twice `heartbeatMs`. @default 60_000 */
    readonly expiryMs?: number;
  };
  readonly log?: {
    /** Longest time an event waits to be stored, in milliseconds. @default 100 */
    readonly flushMs?: number;
    /** Events that are stored together at most. @default 256 */
    readonly batchSize?: number;
  };
  /** How often to look at a row without a hint of the store, in milliseconds. @default 1_000 */
  readonly pollMs?: number;
  /** Sessions of each agent whose newest state this process keeps, so that it is not loaded again. @default 1_000 */
  readonly cachedSessions?: number;
  /**
   * Tenant and owner of a call, from its context: strings of at most 256 characters without path tricks. @default `context.scope` is the scope (or none), `context.subject` the
   * owner
   */
  readonly caller?: (context: AgentContext) => Caller;
  /** Whether the span of a turn carries the custom state it ended with, as clients would see it. @default false */
  readonly recordState?: boolean;
  /** @default the OpenTelemetry API, which records nothing until an application installs an SDK */
  readonly telemetry?: Telemetry;
  /** @default the machine's */
  readonly clock?: Clock;
  /** @default random UUIDs */
  readonly ids?: IdSource;
}

/** Defines agents that share a store, a registry, a clock and telemetry. Nothing is global. */
export interface Agents extends Registrations {
  readonly registry: Registry;
  /** Defines and registers an agent that owns its loop. Throws for options that contradict each other, quoting both. */
  readonly defineCustomAgent: DefineAgent<"agent">;
  /** Defines and registers an agent that has a prompt, a model and tools; the loop is ours. */
  readonly defineAgent: DefineConversation<"agent", "words">;
  /** The same with a prompt that is registered: by default the one with the agent's name. */
  readonly definePromptAgent: DefineConversation<"agent", "prompt">;
  /** Registers an agent that was defined elsewhere. Throws ALREADY_EXISTS if the name is taken. */
  register<Custom, Status>(definition: AgentDefinition<Custom, Status>): Agent<Custom, Status>;
}

export function createAgents(options: AgentsOptions = {}): Agents {
  const runtime = createRuntime(options);
  const register = <Custom, Status>(definition: AgentDefinition<Custom, Status>): Agent<Custom, Status> => {
    const core = defineAgentCore(runtime, definition);
    const agent = createAgent(core);
    registerAgent(runtime.registry, agent, core);
    return agent;
  };
  return {
    registry: runtime.registry,
    register,
    defineCustomAgent: ((agentOptions: AgentOptions, run: AgentFunction) =>
      register(customAgent(agentOptions as never, run))) as DefineAgent<"agent">,
    defineAgent: ((words: never) => register(wordedAgent(words))) as DefineConversation<"agent", "words">,
    definePromptAgent: ((given: never) => register(promptAgent(given))) as DefineConversation<"agent", "prompt">,
    ...registrations(runtime.registry),
  };
}

/** An agent that owns its loop, to be registered later: a library can offer one without choosing a store. */
export const customAgent: DefineAgent<"definition"> = (<Custom, Status>(
  options: AgentOptions<Custom, Status>,
  run: AgentFunction<Custom, Status>,
): AgentDefinition<Custom, Status> => ({ options, bind: () => ({ run }) })) as DefineAgent<"definition">;

function createRuntime(options: AgentsOptions): Runtime {
  const { clock = systemClock, ids = systemIds, telemetry = createOtelTelemetry() } = options;
  const { heartbeatMs = 20_000, expiryMs = 60_000 } = options.lease ?? {};
  const { flushMs = 100, batchSize = 256 } = options.log ?? {};
  const { pollMs = 1_000, cachedSessions = 1_000 } = options;
  checkTiming({ heartbeatMs, expiryMs });
  for (const [name, value] of Object.entries({ flushMs, batchSize, pollMs, cachedSessions }))
    checkPositive(name, value);
  const registry = options.registry ?? createRegistry();
  const shares = new WeakMap<Store, StoreShare>();
  const sharedBy = (store: Store): StoreShare => {
    const known = shares.get(store);
    if (known !== undefined) return known;
    const measured = measuredStore(store, { telemetry, clock });
    const share: StoreShare = {
      store: measured,
      keeper: createLeaseKeeper({ turns: measured.turns, clock, heartbeatMs, expiryMs }),
      watches: createAbortWatches({ store: measured, clock }),
      live: createLiveTurns(),
      queue: new Map(),
    };
    shares.set(store, share);
    return share;
  };
  return {
    clock,
    ids,
    telemetry,
    registry,
    lookUp: lookUpIn(registry, options.model),
    defaultStore: options.store,
    lease: { heartbeatMs, expiryMs },
    pollMs,
    log: { flushMs, batchSize },
    cachedSessions,
    recordState: options.recordState ?? false,
    callerOf: (context) => checkCaller((options.caller ?? callerOf)(context)),
    sharedBy,
  };
}

function callerOf({ scope, subject }: AgentContext): Caller {
  return { scope: scope === undefined ? "" : scope, ...(subject === undefined ? {} : { owner: subject }) };
}

function checkTiming({ heartbeatMs, expiryMs }: { heartbeatMs: number; expiryMs: number }): void {
  checkPositive("lease.heartbeatMs", heartbeatMs);
  if (expiryMs > 2 * heartbeatMs) return;
  throw new AgentError(
    "FAILED_PRECONDITION",
    `lease.expiryMs is ${expiryMs}, but lease.heartbeatMs is ${heartbeatMs}: expiry must exceed twice the heartbeat, or one that is late would cost the turn.`,
  );
}

function checkPositive(name: string, value: number): void {
  if (value > 0) return;
  throw new AgentError("INVALID_ARGUMENT", `${name} is ${value}; it must be more than 0.`);
}
