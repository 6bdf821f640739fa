import type { ModelRequest, ModelResponse } from "@agents/schema/port";
import type { ProviderModel } from "../src/index.ts";
import type { Body } from "./answers.ts";
import type { ProviderServer } from "./provider-server.ts";

/** One answer of a provider in its wire format, streamed and whole, and what both mean. */
export interface Recording {
  readonly provider: string;
  model(server: Pick<ProviderServer, "url" | "fetch">): ProviderModel;
  readonly request: ModelRequest;
  readonly streamed: Body;
  readonly whole: Body;
  readonly expected: ModelResponse;
  /** An answer of a fresh call that says "ok". */
  readonly short: Body;
}

export const WEATHER_TOOL = {
  name: "weather",
  description: "The weather of a city.",
  inputSchema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
};

export const REQUEST: ModelRequest = {
  messages: [
    { role: "system", content: [{ text: "Be brief." }] },
    { role: "user", content: [{ text: "Compare the weather in Köln and Paris." }] },
  ],
  tools: [WEATHER_TOOL],
  config: { maxOutputTokens: 1_000 },
};
