import type { CallOptions, ProviderModel } from "../provider/provider-model.ts";

/** What one call works with. */
export interface ProviderCall {
  readonly model: ProviderModel;
  readonly name: string;
  readonly options: CallOptions;
  readonly signal: AbortSignal;
  readonly keepAnswerMetadata: boolean;
  /** What we could not honour ourselves. */
  readonly warnings: readonly string[];
}
