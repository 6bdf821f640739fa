import { AgentError } from "@agents/schema/error";
import { parse, YAMLParseError } from "yaml";
import * as z from "zod";

/** What is compared: objects partly, arrays as ordered subsequences. */
const expected = z.unknown();
const capture = z.string().min(1);
const errorText = z.string().min(1);

const ExpectedOutputSchema = z.strictObject({
  message: expected.optional(),
  hasSnapshotId: z.boolean().optional(),
  hasSessionId: z.boolean().optional(),
  stateContains: expected.optional(),
  artifactsContain: z.array(expected).optional(),
  finishReason: z.string().optional(),
  errorContains: expected.optional(),
  usage: expected.optional(),
});
export type ExpectedOutput = z.infer<typeof ExpectedOutputSchema>;

const ExpectedSnapshotSchema = z.strictObject({
  parentId: z.string().nullable().optional(),
  status: z.string().optional(),
  finishReason: z.string().optional(),
  hasSessionId: z.boolean().optional(),
  stateContains: expected.optional(),
  errorContains: expected.optional(),
  usage: expected.optional(),
});
export type ExpectedSnapshot = z.infer<typeof ExpectedSnapshotSchema>;

/** One per model call: an answer, or the error it fails with. */
const ModelResponseSchema = z.union([
  z.strictObject({ error: z.strictObject({ status: z.string(), message: z.string() }) }),
  z.strictObject({
    message: z.looseObject({}),
    finishReason: z.string().optional(),
    usage: z.looseObject({}).optional(),
  }),
]);
export type CaseModelResponse = z.infer<typeof ModelResponseSchema>;

const SendStepSchema = z.strictObject({
  type: z.literal("send"),
  init: expected.optional(),
  inputs: z.array(expected).min(1),
  modelResponses: z.array(ModelResponseSchema).optional(),
  /** Per model call. */
  streamChunks: z.array(z.array(z.looseObject({}))).optional(),
  expectChunks: z.array(expected).optional(),
  expectOutput: ExpectedOutputSchema.optional(),
  /** The call throws: it was wrong, and the invocation never started. */
  expectError: z.strictObject({ status: z.string().optional(), message: errorText.optional() }).optional(),
  captureSnapshotId: capture.optional(),
  captureState: capture.optional(),
  captureSessionId: capture.optional(),
});
export type SendStep = z.infer<typeof SendStepSchema>;

const ReadStepSchema = z.strictObject({
  type: z.literal("getSnapshotData"),
  snapshotId: z.string().optional(),
  sessionId: z.string().optional(),
  expectSnapshot: ExpectedSnapshotSchema.optional(),
  expectError: errorText.optional(),
  captureSnapshotId: capture.optional(),
});
export type ReadStep = z.infer<typeof ReadStepSchema>;

const AbortStepSchema = z.strictObject({
  type: z.literal("abort"),
  snapshotId: z.string(),
  /** `null`: the id is unknown. */
  expectPreviousStatus: z.string().nullable().optional(),
});
export type AbortStep = z.infer<typeof AbortStepSchema>;

const WaitStepSchema = z.strictObject({
  type: z.literal("waitUntilCompleted"),
  snapshotId: z.string(),
  timeoutMs: z.number().int().positive().optional(),
  expectSnapshot: ExpectedSnapshotSchema.optional(),
});
export type WaitStep = z.infer<typeof WaitStepSchema>;

/** Replays the turn's chunks, to its end. */
const FollowStepSchema = z.strictObject({
  type: z.literal("follow"),
  snapshotId: z.string(),
  expectChunks: z.array(expected).optional(),
  expectError: errorText.optional(),
});
export type FollowStep = z.infer<typeof FollowStepSchema>;

const ListStepSchema = z.strictObject({
  type: z.literal("listSnapshots"),
  sessionId: z.string(),
  /** All of them, newest first. */
  expectSnapshots: z.array(ExpectedSnapshotSchema),
});
export type ListStep = z.infer<typeof ListStepSchema>;

const StepSchema = z.discriminatedUnion("type", [
  SendStepSchema,
  ReadStepSchema,
  AbortStepSchema,
  WaitStepSchema,
  FollowStepSchema,
  ListStepSchema,
]);
export type Step = z.infer<typeof StepSchema>;

const CaseSchema = z.strictObject({
  name: z.string().min(1),
  description: z.string().optional(),
  /** The harness agent that the case talks to. */
  agent: z.string().min(1),
  /** Capabilities that it needs. */
  requires: z.array(z.string()).optional(),
  steps: z.array(StepSchema).min(1),
});
export type ConformanceCase = z.infer<typeof CaseSchema>;

const CaseFileSchema = z.strictObject({
  capabilities: z.array(z.string()).optional(),
  tests: z.array(CaseSchema).min(1),
});

/**
 * Reads a case file. Throws INVALID_ARGUMENT naming the place for text that is no YAML, and for a field or a step that is
 * not of the format: what nobody looks at cannot fail.
 */
export function parseCaseFile(text: string): readonly ConformanceCase[] {
  const read = CaseFileSchema.safeParse(parseYaml(text));
  if (!read.success) throw new AgentError("INVALID_ARGUMENT", `Not a case file: ${z.prettifyError(read.error)}`);
  const { capabilities = [], tests } = read.data;
  for (const { name, requires = [] } of tests) {
    const unknown = requires.find((capability) => !capabilities.includes(capability));
    if (unknown !== undefined)
      throw new AgentError(
        "INVALID_ARGUMENT",
        `Case ${JSON.stringify(name)} requires ${JSON.stringify(unknown)}, which the file does not list in capabilities.`,
      );
  }
  return tests;
}

function parseYaml(text: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof YAMLParseError)) throw error;
    throw new AgentError("INVALID_ARGUMENT", `Not a case file: ${error.message}`);
  }
}
