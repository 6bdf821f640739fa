import * as z from "zod";
import type { ActionSchemas } from "./bidi-action.ts";

export type ActionJsonSchemas = { readonly [Part in keyof ActionSchemas]: Readonly<Record<string, unknown>> };

/** What a caller gives is described before defaults and transforms, what it gets after them. */
const SIDE = { init: "input", input: "input", stream: "output", output: "output" } as const satisfies Record<
  keyof ActionSchemas,
  "input" | "output"
>;

/** JSON Schemas for people and tools that look at an action. What JSON Schema cannot say becomes "anything". */
export function actionJsonSchemas(schemas: ActionSchemas): ActionJsonSchemas {
  const result: { -readonly [Part in keyof ActionSchemas]: Record<string, unknown> } = {};
  for (const part of Object.keys(SIDE) as (keyof ActionSchemas)[]) {
    const schema = schemas[part];
    if (schema !== undefined) result[part] = toJsonSchema(schema, SIDE[part]);
  }
  return result;
}

/** One schema that cannot be described must not hide the whole list: it becomes "anything", too. */
export function toJsonSchema(schema: z.ZodType, io: "input" | "output"): Record<string, unknown> {
  try {
    return z.toJSONSchema(schema, { io, unrepresentable: "any" });
  } catch {
    return {};
  }
}
