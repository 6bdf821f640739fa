import type { Metadata } from "@agents/schema/agent";
import type { ProviderMetadata } from "./provider-model.ts";

/** What a provider said of a part; it is sent back with the part on the next call. */
export const PROVIDER_METADATA = "providerMetadata";
/** What the application asks of a provider for a part or message, `{ anthropic: { cacheControl: … } }` for one. */
export const PROVIDER_OPTIONS = "providerOptions";
/** On a tool request whose input is not JSON: why. Its input is then the text that the model wrote. */
export const MALFORMED_INPUT = "malformedInput";
/** On a tool response: the tool failed, and its output says how. */
export const IS_ERROR = "isError";

/** As `metadata` of a part or message, or nothing at all. What JSON cannot hold is left out. */
export function metadataOf(provider: ProviderMetadata | undefined, more?: Metadata): { metadata?: Metadata } {
  const said = Object.entries(provider ?? {}).filter(([, value]) => Object.keys(value ?? {}).length > 0);
  const metadata: Metadata = { ...more };
  if (said.length > 0) metadata[PROVIDER_METADATA] = JSON.parse(JSON.stringify(Object.fromEntries(said)));
  return Object.keys(metadata).length > 0 ? { metadata } : {};
}

/** Later pieces of a block may say more, or say it anew. */
export function mergeMetadata(
  earlier: ProviderMetadata | undefined,
  later: ProviderMetadata | undefined,
): ProviderMetadata | undefined {
  if (earlier === undefined || later === undefined) return later ?? earlier;
  const merged = { ...earlier };
  for (const [provider, value] of Object.entries(later)) merged[provider] = { ...merged[provider], ...value };
  return merged;
}

/** What goes back to the provider: what it said, and over it what the application asks. */
export function providerOptionsOf(metadata: Metadata | undefined): { providerOptions?: ProviderMetadata } {
  const merged = mergeMetadata(record(metadata?.[PROVIDER_METADATA]), record(metadata?.[PROVIDER_OPTIONS]));
  return merged === undefined ? {} : { providerOptions: merged };
}

function record(value: unknown): ProviderMetadata | undefined {
  return typeof value === "object" && value !== null ? (value as ProviderMetadata) : undefined;
}
