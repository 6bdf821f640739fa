import * as z from "zod";
import { STATUSES, type WireError } from "../error/index.ts";
import { open } from "./open-object.ts";

export const StatusSchema = z.enum(STATUSES);

export const WireErrorSchema = open({
  status: StatusSchema,
  message: z.string(),
  details: z.unknown().optional(),
}) satisfies z.ZodType<WireError>;
