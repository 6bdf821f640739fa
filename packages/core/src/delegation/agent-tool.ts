import type { AgentChunk, AgentOutput, Artifact, Metadata, Resume } from "@agents/schema/agent";
import { parseWire, ResumeSchema } from "@agents/schema/agent";
import { AgentError } from "@agents/schema/error";
import type { AgentApi, Tool, ToolAnswer, ToolCall, TurnOptions } from "@agents/schema/port";
import * as z from "zod";
import { toJsonSchema } from "../bidi/action-json-schemas.ts";
import { textOf } from "../generate/structured-output.ts";
import { currentWork } from "../session/session-context.ts";
import { checkToolName } from "../tool/define-tool.ts";
import { ToolCorrection } from "../tool/tool-correction.ts";
import { toolRequestsOf } from "../tool/tool-message.ts";
import { DelegationCount } from "./delegation-count.ts";

export interface AgentToolOptions {
  /** As the calling model sees it. @default the agent's name */
  readonly name?: string;
  /** Tells the calling model what the agent is for. @default the agent's description */
  readonly description?: string;
  /** Streams what the agent streams, each chunk with `metadata.source`, the agent's name. @default false */
  readonly forward?: boolean;
  /** Takes over what the agent made: `report` of agent `writer` becomes `writer/report`. @default true */
  readonly artifacts?: boolean;
  /** How deep agents may ask agents; 1 lets this one be asked by a client's agent only. @default 4 */
  readonly maxDepth?: number;
  /** How often it may be asked in one turn. @default 20 */
  readonly maxCalls?: number;
}

/** What an agent is asked with. */
const TaskSchema = z.object({
  task: z.string().min(1).describe("What is to be done, with all that must be known for it."),
});

/**
 * An agent as a tool of another. Each call is a session of its own: in the agent's store under an id derived from the
 * calling turn, or carried inside the caller's history. What the agent waits for, the caller waits for: the answer goes in
 * the `metadata.resumed` of a restart, in the form of a resume of the agent. A stop of the caller stops the agent.
 */
export function agentTool(agent: AgentApi, options: AgentToolOptions = {}): Tool {
  const { name = agent.name, description = agent.description, maxDepth = 4, maxCalls = 20 } = options;
  const count = new DelegationCount(agent.name, { maxDepth, maxCalls });
  checkToolName(name);
  return {
    name,
    ...(description === undefined ? {} : { description }),
    inputSchema: toJsonSchema(TaskSchema, "input"),
    outputSchema: { type: "string" },
    metadata: { agent: agent.name },
    async call(input, call): Promise<ToolAnswer> {
      const read = TaskSchema.safeParse(input);
      if (!read.success) return { type: "correction", message: `The input has to be { "task": "…" }.` };
      try {
        count.add();
      } catch (error) {
        if (error instanceof ToolCorrection) return { type: "correction", message: error.message };
        throw error;
      }
      return answerOf({ agent, call, options }, await ask({ agent, call, options }, read.data.task));
    },
    checkOutput: (output) => parseWire(z.string(), output, { what: `output of tool '${name}'` }),
  };
}

interface Delegation {
  readonly agent: AgentApi;
  readonly call: ToolCall;
  readonly options: AgentToolOptions;
}

/** Where a call that waits left its agent. In the caller's history, out of reach of clients. */
interface Left {
  readonly snapshotId?: string;
  readonly state?: TurnOptions["state"];
}

async function ask({ agent, call, options }: Delegation, task: string): Promise<AgentOutput> {
  const { context, abortSignal, resumed, interrupted } = call;
  const left = interrupted?.delegation as Left | undefined;
  const input =
    left === undefined
      ? { message: { role: "user" as const, content: [{ text: task }] } }
      : { resume: resumeOf(resumed) };
  const stream = agent.stream(input, { ...startOf(agent, call, left), context, signal: abortSignal });
  if (options.forward === true) for await (const chunk of stream) await forward(agent.name, call, chunk);
  return await stream.output();
}

function startOf({ metadata }: AgentApi, { key }: ToolCall, left: Left | undefined): TurnOptions {
  if (left?.snapshotId !== undefined) return { snapshotId: left.snapshotId };
  if (left?.state !== undefined) return { state: left.state };
  return metadata.stateManagement === "server" ? { sessionId: key } : {};
}

/** Forged or mistaken, it is refused as a resume of the agent would be. */
function resumeOf(resumed: unknown): Resume {
  return parseWire(ResumeSchema, resumed, { what: "metadata.resumed of a restarted delegation" });
}

async function forward(
  source: string,
  { ref, sendChunk }: ToolCall,
  { modelChunk, status }: AgentChunk,
): Promise<void> {
  if (modelChunk !== undefined) {
    const metadata = { ...modelChunk.metadata, source, ref };
    await sendChunk({ modelChunk: { ...modelChunk, metadata } });
  }
  if (status !== undefined) await sendChunk({ status: { source, ref, status } });
}

function answerOf({ agent, call, options }: Delegation, output: AgentOutput): ToolAnswer {
  const { sessionId, snapshotId, state, finishReason, message } = output;
  const link = { agent: agent.name, sessionId, ...(snapshotId === undefined ? {} : { snapshotId }) };
  if (finishReason === "interrupted" && message !== undefined) {
    const requests = toolRequestsOf(message).filter(({ metadata }) => metadata?.interrupt !== undefined);
    const left: Left = {
      ...(snapshotId === undefined ? {} : { snapshotId }),
      ...(state === undefined ? {} : { state }),
    };
    return call.interrupt({ ...link, requests, delegation: left } as Metadata);
  }
  call.abortSignal.throwIfAborted();
  if (finishReason === "failed" || finishReason === "aborted") throw failed(agent.name, output);
  if (options.artifacts !== false) takeOver(agent.name, output.artifacts ?? []);
  return { type: "output", output: message === undefined ? "" : textOf(message), metadata: { delegation: link } };
}

function failed(agent: string, { finishReason, error }: AgentOutput): AgentError {
  const said = error?.message ?? `its turn was ${finishReason}`;
  return new AgentError(error?.status ?? "ABORTED", `Agent '${agent}' did not answer: ${said}`, {
    details: error?.details,
  });
}

function takeOver(agent: string, artifacts: readonly Artifact[]): void {
  if (artifacts.length === 0) return;
  const named = artifacts.map((artifact) => ({
    ...artifact,
    ...(artifact.name ? { name: `${agent}/${artifact.name}` } : {}),
    metadata: { ...artifact.metadata, source: agent },
  }));
  currentWork()?.session.addArtifacts(...named);
}
