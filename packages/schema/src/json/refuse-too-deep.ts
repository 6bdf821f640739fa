import { invalidArgument } from "./invalid-argument.ts";
import { MAX_DEPTH, type PointerToken, quoted } from "./pointer.ts";

/**
 * Call on entering the container at `path`. Every recursion over JSON here does, so that nesting too deep, or a value
 * that contains itself, ends in a clear refusal and never in a RangeError from wherever the stack happened to end.
 */
export function refuseTooDeep(path: readonly PointerToken[]): void {
  if (path.length < MAX_DEPTH) return;
  throw invalidArgument(`${quoted(path)} is nested deeper than the limit of ${MAX_DEPTH} levels, or contains itself`, {
    limit: MAX_DEPTH,
  });
}
