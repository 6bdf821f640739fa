import * as z from "zod";
import { open } from "../../agent/index.ts";

export const DisplayKindSchema = z.enum(["text", "reasoning", "tool", "interaction", "status", "error"]);
export type DisplayKind = z.infer<typeof DisplayKindSchema>;

export const DisplayPhaseSchema = z.enum([
  "delta",
  "started",
  "progress",
  "completed",
  "failed",
  "requested",
  "resolved",
  "canceled",
]);
export type DisplayPhase = z.infer<typeof DisplayPhaseSchema>;

/** How to show an event without knowing its type: enough for a CLI or a page to draw every event of every agent. */
export const DisplaySchema = open({
  kind: DisplayKindSchema,
  phase: DisplayPhaseSchema,
  /** White space is kept: deltas are to be joined as they are. */
  text: z.string().optional(),
  label: z.string().optional(),
  /** Events of one tool call or interaction share it. */
  ref: z.string().optional(),
  /** The ref this one belongs under, as for a sub-agent's tools. */
  parentRef: z.string().optional(),
  input: z.unknown().optional(),
  output: z.unknown().optional(),
  error: z.string().optional(),
  /** What the person can do, as for an approval. */
  action: z.unknown().optional(),
  format: z.enum(["plain", "markdown", "json"]).optional(),
});
export type Display = z.infer<typeof DisplaySchema>;
