import type { Metadata } from "@agents/schema/agent";
import { AgentError } from "@agents/schema/error";
import type { CallOptions } from "../provider/provider-model.ts";

export type CallConfig = Pick<CallOptions, keyof typeof FITS>;

/**
 * The settings of a call. An unknown one throws INVALID_ARGUMENT, as does a value of the wrong type: a misspelt temperature
 * must not be a temperature that nobody set. What only one provider knows goes into `providerOptions`, by its name.
 */
export function toCallConfig(config: Metadata): CallConfig {
  const settings: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(config)) {
    if (value === undefined) continue;
    const rule = Object.hasOwn(FITS, key) ? FITS[key as keyof typeof FITS] : undefined;
    if (rule === undefined) throw unknown(key);
    if (!rule.fits(value)) {
      throw new AgentError("INVALID_ARGUMENT", `config.${key} must be ${rule.expected}, got ${shown(value)}.`, {
        details: { path: `/config/${key}` },
      });
    }
    settings[key] = value;
  }
  return settings as CallConfig;
}

const NUMBER = { expected: "a number", fits: (value: unknown) => typeof value === "number" && Number.isFinite(value) };
const TEXTS = {
  expected: "a list of strings",
  fits: (value: unknown) => Array.isArray(value) && value.every((item) => typeof item === "string"),
};
const OBJECTS = {
  expected: 'an object of objects by provider, { "anthropic": { … } }',
  fits: (value: unknown) => isObject(value) && Object.values(value).every(isObject),
};
const TEXT = { expected: "a string", fits: (value: unknown) => typeof value === "string" };

const FITS = {
  temperature: NUMBER,
  maxOutputTokens: NUMBER,
  topP: NUMBER,
  topK: NUMBER,
  seed: NUMBER,
  presencePenalty: NUMBER,
  frequencyPenalty: NUMBER,
  stopSequences: TEXTS,
  /** Effort, of models of the fourth version: "none", "low", "high" and so on. */
  reasoning: TEXT,
  providerOptions: OBJECTS,
} as const satisfies Partial<Record<keyof CallOptions, typeof NUMBER>>;

function unknown(key: string): AgentError {
  return new AgentError(
    "INVALID_ARGUMENT",
    `config.${key} is none of ${Object.keys(FITS).join(", ")}. What only one provider knows goes into config.providerOptions.<provider>.`,
    { details: { path: `/config/${key}` } },
  );
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function shown(value: unknown): string {
  return typeof value === "string"
    ? JSON.stringify(value.slice(0, 40))
    : Array.isArray(value)
      ? "a list"
      : String(value);
}
