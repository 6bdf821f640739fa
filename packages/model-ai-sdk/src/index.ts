export { type AiSdkModelOptions, createAiSdkModel } from "./model/create-ai-sdk-model.ts";
export type { ProviderModel } from "./provider/provider-model.ts";
export type { LoadMedia } from "./request/file-data.ts";
export type { RequestOptions } from "./request/to-call-options.ts";
