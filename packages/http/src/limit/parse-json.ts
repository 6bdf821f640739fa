import { AgentError } from "@agents/schema/error";
import { formatPointer } from "@agents/schema/patch";

export interface ParseJsonOptions {
  /** For messages: "body of POST /agents/{name}". */
  readonly what: string;
  /** Deepest nesting, in levels. */
  readonly depth: number;
}

/** Throws INVALID_ARGUMENT for what is not JSON, and for nesting that is too deep, naming the path. */
export function parseJson(text: string, { what, depth }: ParseJsonOptions): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    // The engine's own message quotes the text, which may be a secret that went astray.
    const hint = text === "" ? "is empty; was it read by a body parser before?" : "is not JSON";
    throw new AgentError("INVALID_ARGUMENT", `The ${what} ${hint}.`, { cause: error });
  }
  // Each level takes two characters at least, so what is short cannot be deep.
  if (text.length >= depth * 2) refuseTooDeep(value, [], { what, depth });
  return value;
}

function refuseTooDeep(value: unknown, path: string[], options: ParseJsonOptions): void {
  if (typeof value !== "object" || value === null) return;
  if (path.length >= options.depth) throw tooDeep(path, options);
  for (const key of Object.keys(value)) {
    const member = (value as Record<string, unknown>)[key];
    if (typeof member !== "object" || member === null) continue;
    path.push(key);
    refuseTooDeep(member, path, options);
    path.pop();
  }
}

/** A path that is long enough to be refused is too long to be read. */
const MAX_SHOWN = 120;

function tooDeep(tokens: readonly string[], { what, depth }: ParseJsonOptions): AgentError {
  const pointer = formatPointer(tokens);
  const path = pointer.length <= MAX_SHOWN ? pointer : `${pointer.slice(0, MAX_SHOWN)}…`;
  return new AgentError(
    "INVALID_ARGUMENT",
    `Invalid ${what} at ${path}: nested deeper than the limit of ${depth} levels.`,
    {
      details: { path, limit: depth },
    },
  );
}
