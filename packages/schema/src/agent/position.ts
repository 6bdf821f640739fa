import * as z from "zod";
import { POSITION_PATTERN } from "../route/index.ts";

/** A place in a turn's event log, opaque to clients. */
export const PositionSchema = z
  .string()
  .regex(POSITION_PATTERN, "not a position; send one that a stream frame carried, or none to start at the beginning");
