import type { AgentChunk, Metadata, ToolRequestPart } from "@agents/schema/agent";
import { AgentError, toAgentError } from "@agents/schema/error";
import type { AgentContext, Clock, Telemetry, Tool, ToolAnswer, ToolCall } from "@agents/schema/port";
import { TimeLimit } from "../clock/time-limit.ts";
import { importJson } from "../state/import-json.ts";
import { interrupt, ToolInterrupt } from "./tool-interrupt.ts";
import type { ToolInterrupted, ToolOutcome } from "./tool-outcome.ts";
import type { ToolSet } from "./tool-set.ts";

/** What the calls of one turn share. */
export interface ToolBench {
  readonly tools: ToolSet;
  /** Names the turn in the key of each call. */
  readonly turnKey: string;
  readonly context: AgentContext;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
  readonly sendChunk: (chunk: AgentChunk) => Promise<void>;
}

export interface RunToolOptions {
  /** The request, with its ref. */
  readonly part: ToolRequestPart;
  readonly signal: AbortSignal;
  /** A person restarted the call. */
  readonly restart?: { readonly resumed: unknown; readonly interrupted: Metadata | undefined } | undefined;
}

/** Runs one call to an outcome. Rejects only with `signal.reason`: "the tool broke" is an outcome, "stop" unwinds. */
export async function runTool(bench: ToolBench, { part, signal, restart }: RunToolOptions): Promise<ToolOutcome> {
  const { name, input } = part.toolRequest;
  const tool = bench.tools.find(name);
  if (tool === undefined) return unknownTool(bench.tools, name);
  const malformed = part.metadata?.malformedInput;
  if (typeof malformed === "string") return { type: "corrected", message: `The input is not JSON: ${malformed}.` };
  const call = toolCall(bench, part, restart);
  const attributes = {
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": name,
    "gen_ai.tool.call.id": call.ref,
  };
  try {
    const answer = await bench.telemetry.span(`execute_tool ${name}`, attributes, async (span) => {
      const outcome = await within(bench.clock, tool, signal, (limited) =>
        tool.call(input, { ...call, abortSignal: limited }),
      );
      span.setAttributes({ "agent.tool.outcome": outcome.type });
      return outcome;
    });
    return outcomeOf(answer, name);
  } catch (error) {
    signal.throwIfAborted();
    return { type: "failed", error: failure(error, part) };
  }
}

type Limited = ToolAnswer | ToolInterrupted;

/** An interrupt is no failure: it must not look like one on the span. */
async function within(
  clock: Clock,
  { name, timeoutMs }: Tool,
  signal: AbortSignal,
  run: (signal: AbortSignal) => Promise<ToolAnswer>,
): Promise<Limited> {
  const tooLong = (ms: number) => new AgentError("DEADLINE_EXCEEDED", `Tool '${name}' took longer than its ${ms} ms.`);
  const limit = new TimeLimit({ signal, clock, timeoutMs, tooLong });
  try {
    return await limit.race(run(limit.signal));
  } catch (error) {
    if (error instanceof ToolInterrupt) return { type: "interrupted", metadata: error.metadata };
    throw error;
  } finally {
    limit.stop();
  }
}

function outcomeOf(answer: Limited, name: string): ToolOutcome {
  if (answer.type === "interrupted") {
    return { type: "interrupted", metadata: importJson(answer.metadata, `/tools/${name}/interrupt`) };
  }
  if (answer.type === "correction") return { ...answer, type: "corrected" };
  const { output, metadata } = importJson(answer, `/tools/${name}`);
  return { type: "completed", output, metadata };
}

function toolCall(
  { turnKey, context, sendChunk }: ToolBench,
  { toolRequest }: ToolRequestPart,
  restart: RunToolOptions["restart"],
): Omit<ToolCall, "abortSignal"> {
  const { name, ref = "" } = toolRequest;
  const { resumed, interrupted } = restart ?? {};
  return {
    name,
    ref,
    key: `${turnKey}:${ref}`,
    context,
    sendChunk,
    interrupt,
    ...(restart === undefined ? {} : { resumed }),
    ...(interrupted === undefined ? {} : { interrupted }),
  };
}

function unknownTool(tools: ToolSet, name: string): ToolOutcome {
  const known = tools.names.length === 0 ? "There are no tools." : `There are ${tools.names.join(", ")}.`;
  return { type: "corrected", message: `There is no tool ${JSON.stringify(name)}. ${known}` };
}

/** The turn's error is ours; what the tool said of itself is in its message and details. */
function failure(thrown: unknown, { toolRequest }: ToolRequestPart): AgentError {
  const { name, ref } = toolRequest;
  const { status, message, details } = toAgentError(thrown);
  return new AgentError("INTERNAL", `Tool '${name}' failed: ${message}`, {
    details: { tool: name, ref, status, ...(AgentError.is(thrown) && details !== undefined ? { details } : {}) },
    cause: thrown,
  });
}
