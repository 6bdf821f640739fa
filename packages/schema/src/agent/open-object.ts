import * as z from "zod";

/**
 * An object schema that keeps fields it does not know, so that an older server passes on what a newer client sent.
 * Its type lists only the known fields: zod's own type for such objects has an index signature, under which a
 * misspelt field would still compile.
 */
export function open<const Shape extends z.core.$ZodLooseShape>(shape: Shape): z.ZodObject<Shape, z.core.$strip> {
  return z.looseObject(shape) as unknown as z.ZodObject<Shape, z.core.$strip>;
}

/** Free-form JSON members that travel with a value and that we never interpret. */
export const MetadataSchema = z.record(z.string(), z.unknown());
export type Metadata = z.infer<typeof MetadataSchema>;
