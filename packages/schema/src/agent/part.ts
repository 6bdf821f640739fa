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

/** What a part may hold. */
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
 * A part as it may stand in history: at most one payload of those that exclude each other. `data` and `custom` beside
 * another payload, and payloads that we do not know, are kept: older clients and newer peers send them.
 *
 * One object with seven optional payloads and a rule, not a union of seven objects: a mistake inside a payload is then
 * reported at its own path instead of as seven branches that did not match.
 */
export const PartSchema = partSchema(KINDS, { needed: false });
/** A part as a client may send it: at least one payload is one that we know. */
export const GivenPartSchema = partSchema(KINDS, { needed: true });
export const TextPartSchema = partSchema(["text"], { needed: true });
export const ToolRequestPartSchema = partSchema(["toolRequest"], { needed: true });
export const ToolResponsePartSchema = partSchema(["toolResponse"], { needed: true });

/** These go with any other. */
const COMPANIONS: ReadonlySet<PartKind> = new Set(["data", "custom"]);

function partSchema<Kind extends PartKind>(
  allowed: readonly Kind[],
  { needed }: { needed: boolean },
): z.ZodType<AnyOf<Kind>, AnyOf<Kind>> {
  const optional = Object.fromEntries(KINDS.map((kind) => [kind, PAYLOAD[kind].optional()]));
  const expected = allowed.length === 1 ? allowed[0] : `one of ${allowed.join(", ")}`;
  return open({ ...optional, metadata: MetadataSchema.optional() })
    .check(({ value, issues }) => {
      const found = KINDS.filter((kind) => (value as Partial<Payload>)[kind] !== undefined);
      const exclusive = found.filter((kind) => !COMPANIONS.has(kind));
      const known = found.some((kind) => (allowed as readonly PartKind[]).includes(kind));
      if (exclusive.length <= 1 && (known || !needed)) return;
      const actual = found.length > 0 ? found.join(" and ") : `fields [${Object.keys(value).slice(0, 5).join(", ")}]`;
      issues.push({ code: "custom", path: [], input: value, message: `a part has ${expected}, got ${actual}` });
    })
    .meta({
      [needed ? "anyOf" : "$comment"]: needed ? allowed.map((kind) => ({ required: [kind] })) : `At most ${expected}.`,
    }) as unknown as z.ZodType<AnyOf<Kind>, AnyOf<Kind>>;
}
