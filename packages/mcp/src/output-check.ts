import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv-provider.js";
import type { JsonSchemaType } from "@modelcontextprotocol/sdk/validation/types.js";

/** What is wrong with an output; undefined when it fits, and for a schema that cannot be compiled. */
export type OutputCheck = (output: unknown) => string | undefined;

/**
 * Checks outputs against a schema that is compiled at the first of them. Each schema has a compiler of its own: one for
 * all would go on using the first schema of an `$id` after the server has changed it.
 */
export function createOutputCheck(schema: unknown): OutputCheck {
  let check: OutputCheck | undefined;
  return (output) => {
    check ??= compile(schema);
    return check(output);
  };
}

function compile(schema: unknown): OutputCheck {
  try {
    const validate = new AjvJsonSchemaValidator().getValidator(schema as JsonSchemaType);
    return (output) => validate(output).errorMessage;
  } catch {
    return () => undefined;
  }
}
