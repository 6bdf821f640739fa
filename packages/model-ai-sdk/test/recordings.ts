import { anthropic } from "./anthropic.ts";
import { google } from "./google.ts";
import { openaiCompatible } from "./openai-compatible.ts";
import type { Recording } from "./recording.ts";

export const RECORDINGS: readonly Recording[] = [openaiCompatible, anthropic, google];
