import type { StateContent } from "@agents/schema/port";

/** A `StateContent` without its functions, so that it can go to another process. */
interface CarriedContent {
  readonly carried: Omit<StateContent, "full" | "value" | "operations">;
  readonly whole: string;
}

/** Arguments of a store method, with each content in them made to travel. */
export function carryContents(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(carryContents);
  if (isContent(value)) return carry(value);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, carryContents(member)]));
}

/** The other way round: what the store is given cannot be told from what the runtime gives. */
export function reviveContents(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(reviveContents);
  if ("carried" in value && "whole" in value) return revive(value as CarriedContent);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, reviveContents(member)]));
}

function isContent(value: object): value is StateContent {
  return "full" in value && typeof value.full === "function";
}

function carry(content: StateContent): CarriedContent {
  const { kind, json, stateHash, messagesDigest, stateBytes, loadBytes, loadRows } = content;
  const carried = { kind, json, stateHash, messagesDigest, stateBytes, loadBytes, loadRows };
  return { carried, whole: content.full() };
}

function revive({ carried, whole }: CarriedContent): StateContent {
  return { ...carried, full: () => whole, value: JSON.parse(whole) as unknown };
}
