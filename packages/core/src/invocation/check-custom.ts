import { parseWire } from "@agents/schema/agent";
import { jsonEqual } from "@agents/schema/patch";
import type * as z from "zod";
import { importChanged } from "../state/import-json.ts";
import type { State } from "../state/state.ts";
import type { AgentSpec } from "./agent-spec.ts";

/** Values that fit, by the schema they fit: what a turn did not touch is not looked at again. */
const fitting = new WeakMap<object, WeakSet<object>>();

/** Throws INVALID_ARGUMENT naming the path if the custom state does not fit the agent's schema. */
export function checkCustom<Custom>(spec: Pick<AgentSpec<Custom>, "name" | "stateSchema">, custom: unknown): void {
  admitCustom(spec, custom);
}

/** A state that comes from outside or from a store, with its custom state as the schema makes it: defaults filled in. */
export function admitState<Custom>(
  spec: Pick<AgentSpec<Custom>, "name" | "stateSchema">,
  state: State<Custom>,
): State<Custom> {
  const custom = admitCustom(spec, state.custom);
  return custom === state.custom ? state : state.withCustom(custom as Custom);
}

function admitCustom<Custom>({ name, stateSchema }: Pick<AgentSpec<Custom>, "name" | "stateSchema">, value: unknown) {
  if (stateSchema === undefined || isKnownToFit(stateSchema, value)) return value;
  if (value === undefined) return startingValue(stateSchema);
  const read = parseWire(stateSchema, value, { what: `custom state of agent '${name}'` });
  const custom = jsonEqual(read, value) ? value : importChanged(read, "/custom");
  remember(stateSchema, custom);
  return custom;
}

/** A session that has no custom state yet: the schema's own default, if it has one. */
function startingValue(schema: z.ZodType): unknown {
  const read = schema.safeParse(undefined);
  return read.success ? importChanged(read.data, "/custom") : undefined;
}

function isKnownToFit(schema: object, value: unknown): boolean {
  return typeof value === "object" && value !== null && fitting.get(schema)?.has(value) === true;
}

/** Frozen values alone: others may change. */
function remember(schema: object, value: unknown): void {
  if (typeof value !== "object" || value === null || !Object.isFrozen(value)) return;
  const known = fitting.get(schema) ?? new WeakSet();
  fitting.set(schema, known.add(value));
}
