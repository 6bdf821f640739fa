import { AgentError } from "@agents/schema/error";
import { type ActionJsonSchemas, actionJsonSchemas } from "./action-json-schemas.ts";
import type { ActionSchemas } from "./bidi-action.ts";

export type ActionKind = "action" | "agent" | "companion" | "flow" | "model" | "prompt" | "tool";

/** Something that others find by its name. */
export interface RegistryEntry<Action = unknown> {
  readonly kind: ActionKind;
  /** Unique over all kinds. */
  readonly name: string;
  readonly action: Action;
  readonly description?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly schemas?: ActionSchemas;
  /** Of a companion: the name of what it belongs to. The two are removed together. */
  readonly companionOf?: string;
}

/** An entry as it can be shown: JSON only. */
export interface ActionDescription {
  readonly kind: ActionKind;
  readonly name: string;
  readonly description?: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly schemas: ActionJsonSchemas;
  readonly companionOf?: string;
}

export interface Registry {
  /**
   * Throws ALREADY_EXISTS, naming both kinds, if the name is taken, and NOT_FOUND if a companion comes before what it
   * belongs to; nothing has changed then. What it returns removes this entry, and no later one of the same name.
   */
  register(entry: RegistryEntry): () => void;
  /** With a kind: only if the entry is of that kind. */
  lookup(name: string, kind?: ActionKind): RegistryEntry | undefined;
  /** Sorted by name. The same frozen array until something is registered or removed: cheap to ask for. */
  list(kind?: ActionKind): readonly ActionDescription[];
  /** Removes an entry and its companions. Whether there was one. */
  remove(name: string): boolean;
}

/** A registry of its own: nothing is global, so tests and tenants do not meet. */
export function createRegistry(): Registry {
  const entries = new Map<string, RegistryEntry>();
  /** JSON Schemas take a while to make and never change. */
  const descriptions = new WeakMap<RegistryEntry, ActionDescription>();
  const lists = new Map<ActionKind | undefined, readonly ActionDescription[]>();

  const describe = (entry: RegistryEntry): ActionDescription => {
    const known = descriptions.get(entry);
    if (known !== undefined) return known;
    const made = describeEntry(entry);
    descriptions.set(entry, made);
    return made;
  };

  const remove = (name: string): boolean => {
    const found = entries.delete(name);
    if (!found) return false;
    lists.clear();
    for (const entry of [...entries.values()]) if (entry.companionOf === name) remove(entry.name);
    return true;
  };

  return {
    register(entry) {
      const taken = entries.get(entry.name);
      if (taken !== undefined) throw nameTaken(entry, taken);
      if (entry.companionOf !== undefined && !entries.has(entry.companionOf)) throw nobodyToAccompany(entry);
      entries.set(entry.name, entry);
      lists.clear();
      return () => {
        if (entries.get(entry.name) === entry) remove(entry.name);
      };
    },
    lookup(name, kind) {
      const entry = entries.get(name);
      return kind === undefined || entry?.kind === kind ? entry : undefined;
    },
    list(kind) {
      const known = lists.get(kind);
      if (known !== undefined) return known;
      const chosen = [...entries.values()].filter((entry) => kind === undefined || entry.kind === kind);
      const sorted = Object.freeze(chosen.sort((a, b) => (a.name < b.name ? -1 : 1)).map(describe));
      lists.set(kind, sorted);
      return sorted;
    },
    remove,
  };
}

function describeEntry({ kind, name, description, metadata, schemas, companionOf }: RegistryEntry): ActionDescription {
  return Object.freeze({
    kind,
    name,
    ...(description === undefined ? {} : { description }),
    metadata: metadata ?? {},
    schemas: actionJsonSchemas(schemas ?? {}),
    ...(companionOf === undefined ? {} : { companionOf }),
  });
}

function nameTaken({ kind, name }: RegistryEntry, taken: RegistryEntry): AgentError {
  return new AgentError(
    "ALREADY_EXISTS",
    `Cannot register ${kind} ${JSON.stringify(name)}: the name belongs to a registered ${taken.kind}. Choose another or remove that one first.`,
    { details: { name, kind, registeredKind: taken.kind } },
  );
}

function nobodyToAccompany({ name, companionOf }: RegistryEntry): AgentError {
  return new AgentError(
    "NOT_FOUND",
    `Cannot register companion ${JSON.stringify(name)}: ${JSON.stringify(companionOf)} is not registered. Register it first.`,
    { details: { name, companionOf } },
  );
}
