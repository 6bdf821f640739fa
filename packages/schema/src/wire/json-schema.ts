import * as z from "zod";
import { WIRE_SCHEMAS, type WireSchemaName } from "./wire-schemas.ts";

export type JsonSchema = z.core.JSONSchema.BaseSchema;

export interface WireJsonSchemasOptions {
  /**
   * Turns a contract's name into the URI that other contracts refer to it by.
   * @default the name itself. For a document that holds them all, such as OpenAPI, `#/components/schemas/${name}`: they
   * then have no `$id` of their own, because a place in a document is none.
   */
  uri?: (name: string) => string;
}

/**
 * The JSON Schema (draft 2020-12) of every contract, each named once and referred to by the others.
 * Made anew at each call, because it takes a few milliseconds that an import should not cost.
 */
export function wireJsonSchemas(options: WireJsonSchemasOptions = {}): Record<WireSchemaName, JsonSchema> {
  // A registry of our own: ids in zod's global one would clash where this package is installed twice.
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(WIRE_SCHEMAS)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, { uri: options.uri ?? ((name) => name) });
  if (options.uri?.("").startsWith("#")) {
    for (const schema of Object.values(schemas)) {
      delete schema.$id;
      delete schema.$schema;
    }
  }
  return schemas as Record<WireSchemaName, JsonSchema>;
}
