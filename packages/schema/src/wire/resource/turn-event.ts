import * as z from "zod";
import { open, PositionSchema, SnapshotIdSchema, TimestampSchema } from "../../agent/index.ts";
import { DisplaySchema } from "./display.ts";
import { EVENT_DATA, type EventData, type KnownEventType } from "./event-data.ts";

/** The application's own events. */
export type CustomEventType = `custom.${string}`;
export type TurnEventType = KnownEventType | CustomEventType;

export const EVENT_TYPES = Object.keys(EVENT_DATA) as KnownEventType[];

export const VisibilitySchema = z.enum(["public", "private"]);
export type Visibility = z.infer<typeof VisibilitySchema>;

const ENVELOPE = {
  turnId: SnapshotIdSchema,
  /** From 1, without gaps, given by the turn's one writer. */
  seq: z.number().int().positive(),
  /** Who said it: "agent", a tool's name, a sub-agent's label. */
  source: z.string().min(1),
  /** A private event never leaves the server. */
  visibility: VisibilitySchema,
  display: DisplaySchema.optional(),
  createdAt: TimestampSchema,
};

export type EventEnvelope = z.infer<z.ZodObject<typeof ENVELOPE>>;
export type TurnEventOf<Type extends KnownEventType> = EventEnvelope & { type: Type; data: EventData<Type> };
export type CustomEvent = EventEnvelope & { type: CustomEventType; data?: unknown };
export type TurnEvent = { [Type in KnownEventType]: TurnEventOf<Type> }[KnownEventType] | CustomEvent;

const [first, ...rest] = EVENT_TYPES.map((type) =>
  open({ ...ENVELOPE, type: z.literal(type), data: EVENT_DATA[type] }),
);

/** One numbered entry of a turn's log. */
export const TurnEventSchema = z.union([
  z.discriminatedUnion("type", [first as NonNullable<typeof first>, ...rest]),
  open({ ...ENVELOPE, type: z.templateLiteral(["custom.", z.string().min(1)]), data: z.unknown().optional() }),
]) as unknown as z.ZodType<TurnEvent, TurnEvent>;

export const TurnEventPageSchema = open({
  items: z.array(TurnEventSchema),
  /** Send as `after` to go on; absent at the end of a settled turn. */
  position: PositionSchema.optional(),
});
export type TurnEventPage = z.infer<typeof TurnEventPageSchema>;
