import * as z from "zod";
import { MetadataSchema, open } from "./open-object.ts";

export const MediaSchema = open({
  /** An http(s), data: or application-defined URL. */
  url: z.string().min(1),
  contentType: z.string().optional(),
});
export type Media = z.infer<typeof MediaSchema>;

export const ToolRequestSchema = open({
  name: z.string().min(1),
  /** Tells two calls of one message apart; answers carry the same one. */
  ref: z.string().optional(),
  input: z.unknown().optional(),
});
export type ToolRequest = z.infer<typeof ToolRequestSchema>;

export const ToolResponseSchema = open({
  name: z.string().min(1),
  ref: z.string().optional(),
  output: z.unknown().optional(),
});
export type ToolResponse = z.infer<typeof ToolResponseSchema>;

/** What a part may hold: exactly one of these. */
const PAYLOAD = {
  text: z.string(),
  media: MediaSchema,
  reasoning: z.string(),
  data: z.unknown(),
  toolRequest: ToolRequestSchema,
  toolResponse: ToolResponseSchema,
  custom: z.record(z.string(), z.unknown()),
};
const KINDS = Object.keys(PAYLOAD) as PartKind[];

type Payload = { [Kind in keyof typeof PAYLOAD]: z.infer<(typeof PAYLOAD)[Kind]> };
export type PartKind = keyof Payload;

/** A part of one kind. The other kinds are `undefined`, so `part.text !== undefined` narrows a Part. */
export type PartOf<Kind extends PartKind> = { [K in Kind]: Payload[K] } & {
  [K in Exclude<PartKind, Kind>]?: undefined;
} & { metadata?: z.infer<typeof MetadataSchema> | undefined };

export type TextPart = PartOf<"text">;
export type MediaPart = PartOf<"media">;
export type ReasoningPart = PartOf<"reasoning">;
export type DataPart = PartOf<"data">;
export type ToolRequestPart = PartOf<"toolRequest">;
export type ToolResponsePart = PartOf<"toolResponse">;
export type CustomPart = PartOf<"custom">;
export type Part = AnyOf<PartKind>;

type AnyOf<Kind extends PartKind> = { [K in Kind]: PartOf<K> }[Kind];

/**
 * One object with seven optional payloads and a rule, not a union of seven objects: a mistake inside a payload is then
 * reported at its own path instead of as seven branches that did not match.
 */
export const PartSchema = partSchema(KINDS);
export const TextPartSchema = partSchema(["text"]);
export const ToolRequestPartSchema = partSchema(["toolRequest"]);
export const ToolResponsePartSchema = partSchema(["toolResponse"]);

function partSchema<Kind extends PartKind>(allowed: readonly Kind[]): z.ZodType<AnyOf<Kind>, AnyOf<Kind>> {
  const optional = Object.fromEntries(KINDS.map((kind) => [kind, PAYLOAD[kind].optional()]));
  return open({ ...optional, metadata: MetadataSchema.optional() })
    .check(({ value, issues }) => {
      const found = KINDS.filter((kind) => (value as Partial<Payload>)[kind] !== undefined);
      if (found.length === 1 && (allowed as readonly PartKind[]).includes(found[0] as PartKind)) return;
      const expected = allowed.length === 1 ? allowed[0] : `exactly one of ${allowed.join(", ")}`;
      const actual = found.length > 0 ? found.join(" and ") : `fields [${Object.keys(value).join(", ")}]`;
      issues.push({ code: "custom", path: [], input: value, message: `a part has ${expected}, got ${actual}` });
    })
    .meta({ oneOf: allowed.map((kind) => ({ required: [kind] })) }) as unknown as z.ZodType<AnyOf<Kind>, AnyOf<Kind>>;
}
