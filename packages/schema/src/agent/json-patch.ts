import * as z from "zod";
import type { PatchOperation } from "../patch/index.ts";
import { open } from "./open-object.ts";

const path = z.string().regex(/^(\/|$)/, "a JSON Pointer is empty or starts with /");

/** One RFC 6902 operation. */
export const JsonPatchOperationSchema = z.discriminatedUnion("op", [
  open({ op: z.literal("add"), path, value: z.unknown() }),
  open({ op: z.literal("remove"), path }),
  open({ op: z.literal("replace"), path, value: z.unknown() }),
  open({ op: z.literal("move"), from: path, path }),
  open({ op: z.literal("copy"), from: path, path }),
  open({ op: z.literal("test"), path, value: z.unknown() }),
  // What is checked here is what `applyPatch` takes.
]) satisfies z.ZodType<PatchOperation>;
export type JsonPatchOperation = z.infer<typeof JsonPatchOperationSchema>;

export const JsonPatchSchema = z.array(JsonPatchOperationSchema);
export type JsonPatch = z.infer<typeof JsonPatchSchema>;
