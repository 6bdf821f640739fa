import { AgentError } from "@agents/schema/error";
import type { Model } from "@agents/schema/port";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { type AiSdkModelOptions, createAiSdkModel } from "../model/create-ai-sdk-model.ts";

export interface ModelFromEnvironmentOptions extends AiSdkModelOptions {
  /** `process.env`, or a part of it. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What answers when the environment names no model: an app's demo. */
  readonly fallback: Model;
  /** Whether the server takes a JSON schema for its answer; otherwise it is asked for JSON of any shape. @default true */
  readonly structuredOutputs?: boolean;
  /** In place of the global fetch: proxies, tests. */
  readonly fetch?: typeof globalThis.fetch;
}

/**
 * The model that the environment names: `MODEL` at `MODEL_BASE_URL` (any server that speaks OpenAI's chat completions),
 * with `MODEL_API_KEY` if the server wants one. Without any of them it is the fallback. Throws FAILED_PRECONDITION where
 * they are half set, so that nobody talks to the demo who meant to pay for a model.
 */
export function modelFromEnvironment(options: ModelFromEnvironmentOptions): Model {
  const { env, fallback, structuredOutputs = true, fetch, ...modelOptions } = options;
  const [modelId, baseURL, apiKey] = NAMES.map((name) => env[name]?.trim() || undefined);
  if (modelId === undefined && baseURL === undefined && apiKey === undefined) return fallback;
  if (modelId === undefined || baseURL === undefined) throw halfSet(env);
  if (!/^https?:\/\//.test(baseURL) || !URL.canParse(baseURL)) {
    throw new AgentError("FAILED_PRECONDITION", `MODEL_BASE_URL must be an http(s) URL, got "${baseURL}".`);
  }
  const provider = createOpenAICompatible({
    name: "openai-compatible",
    baseURL,
    ...(apiKey !== undefined && { apiKey }),
    includeUsage: true,
    supportsStructuredOutputs: structuredOutputs,
    ...(fetch !== undefined && { fetch }),
  });
  return createAiSdkModel(provider(modelId), modelOptions);
}

const NAMES = ["MODEL", "MODEL_BASE_URL", "MODEL_API_KEY"] as const;

/** Names only: a value may be the key. */
function halfSet(env: ModelFromEnvironmentOptions["env"]): AgentError {
  const set = NAMES.filter((name) => env[name]?.trim());
  const missing = ["MODEL", "MODEL_BASE_URL"].filter((name) => !env[name]?.trim());
  return new AgentError(
    "FAILED_PRECONDITION",
    `${set.join(" and ")} ${set.length > 1 ? "are" : "is"} set, and ${missing.join(" and ")} ${missing.length > 1 ? "are" : "is"} not. Set MODEL and MODEL_BASE_URL (and MODEL_API_KEY if the server wants a key), or none of them.`,
    { details: { set, missing } },
  );
}
