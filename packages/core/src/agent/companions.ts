import {
  AbortRequestSchema,
  AbortResultSchema,
  AgentInitSchema,
  AgentInputSchema,
  agentChunkSchema,
  agentInitSchema,
  agentOutputSchema,
  GetSnapshotRequestSchema,
  ListSnapshotsRequestSchema,
  SnapshotPageSchema,
  snapshotSchema,
  WaitForSnapshotRequestSchema,
} from "@agents/schema/agent";
import type { CallOptions } from "@agents/schema/port";
import * as z from "zod";
import type { Registry, RegistryEntry } from "../bidi/create-registry.ts";
import { defineBidiAction } from "../bidi/define-bidi-action.ts";
import type { Agent } from "./agent.ts";
import type { AgentCore } from "./agent-core.ts";

/**
 * Makes an agent known by its name, and beside it the actions that its store allows. Nothing is registered if one name is
 * taken.
 */
export function registerAgent<Custom, Status>(
  registry: Registry,
  agent: Agent<Custom, Status>,
  core: AgentCore<Custom, Status>,
): void {
  const { name } = agent;
  const stateSchema = core.spec.stateSchema ?? z.unknown();
  const remove = registry.register({
    kind: "agent",
    name,
    action: agent,
    ...(agent.description === undefined ? {} : { description: agent.description }),
    metadata: { agent: core.metadata },
    schemas: {
      init: core.stored === undefined ? agentInitSchema(stateSchema) : AgentInitSchema,
      input: AgentInputSchema,
      stream: agentChunkSchema(core.spec.statusSchema ?? z.unknown()),
      output: agentOutputSchema(stateSchema),
    },
  });
  try {
    for (const companion of companionsOf(agent, core)) registry.register(companion);
  } catch (error) {
    remove();
    throw error;
  }
}

function companionsOf<Custom, Status>(agent: Agent<Custom, Status>, core: AgentCore<Custom, Status>): RegistryEntry[] {
  if (core.stored === undefined) return [];
  const { store } = core.stored.desk;
  const snapshot = snapshotSchema(core.spec.stateSchema ?? z.unknown());
  const companion = <In, Out>(
    action: string,
    given: {
      description: string;
      input: z.ZodType<In, In>;
      output: z.ZodType;
      run: (input: In, options: CallOptions) => Promise<Out>;
    },
  ): RegistryEntry => {
    const { description, input, output, run } = given;
    const name = `${agent.name}/${action}`;
    const defined = defineBidiAction<undefined, In, never, Out>(
      { name, description, inputSchema: input },
      async ({ inputs, context, signal }) => {
        for await (const one of inputs) return run(one, { context, signal });
        throw new Error(`${name} was called without an input.`);
      },
    );
    return {
      kind: "companion",
      name,
      companionOf: agent.name,
      description,
      action: defined,
      schemas: { input, output },
    };
  };
  return [
    companion("getSnapshot", {
      description: "One snapshot with its state, by its id, or the newest of a session.",
      input: GetSnapshotRequestSchema,
      output: snapshot,
      run: async ({ snapshotId, sessionId }, options) =>
        snapshotId === undefined
          ? agent.getLatestSnapshot(sessionId as string, options)
          : agent.getSnapshot(snapshotId, { ...options, ...(sessionId === undefined ? {} : { sessionId }) }),
    }),
    ...(store.index === undefined
      ? []
      : [
          companion("listSnapshots", {
            description: "The snapshots of a session, newest first.",
            input: ListSnapshotsRequestSchema,
            output: SnapshotPageSchema,
            run: (request, options) => agent.listSnapshots(request, options),
          }),
        ]),
    companion("abort", {
      description: "Stops a live turn.",
      input: AbortRequestSchema,
      output: AbortResultSchema,
      run: ({ snapshotId }, options) => agent.abort(snapshotId, options),
    }),
    companion("waitForSnapshot", {
      description: "A snapshot once it has a final status.",
      input: WaitForSnapshotRequestSchema,
      output: snapshot,
      run: ({ snapshotId, timeoutMs }, options) =>
        agent.waitForSnapshot(snapshotId, { ...options, ...(timeoutMs === undefined ? {} : { timeoutMs }) }),
    }),
  ];
}
