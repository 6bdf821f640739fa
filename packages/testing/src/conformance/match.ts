import { formatPointer, type PointerToken } from "@agents/schema/patch";

/** A place where what was expected is not there. */
export interface Mismatch {
  /** JSON Pointer, below the name of what was compared: "output/state/messages". */
  readonly at: string;
  readonly expected: unknown;
  readonly actual: unknown;
}

/**
 * Where `actual` is not what was expected. Objects match partly: members that are not named are not looked at. Arrays match
 * as ordered subsequences: each expected element is looked for after the one before it. Everything else is compared.
 */
export function mismatches(what: string, expected: unknown, actual: unknown): Mismatch[] {
  return collect(expected, actual, []).map(({ path, ...rest }) => ({ at: what + formatPointer(path), ...rest }));
}

/** The same for arrays that must be as long as what was expected, element by element. */
export function mismatchesOfAll(what: string, expected: readonly unknown[], actual: readonly unknown[]): Mismatch[] {
  if (expected.length !== actual.length) return [{ at: what, expected, actual }];
  return expected.flatMap((element, index) => mismatches(`${what}/${index}`, element, actual[index]));
}

/** An error's message is matched as a part of it. */
export function mismatchesOfError(what: string, expected: unknown, actual: unknown): Mismatch[] {
  if (expected === undefined) return [];
  const { message, ...rest } = expected as { message?: string };
  const said = (actual as { message?: string } | undefined)?.message;
  return [
    ...mismatches(what, rest, actual),
    ...(message === undefined || said?.includes(message)
      ? []
      : [{ at: `${what}/message`, expected: message, actual: said }]),
  ];
}

interface Found {
  readonly path: readonly PointerToken[];
  readonly expected: unknown;
  readonly actual: unknown;
}

function collect(expected: unknown, actual: unknown, path: readonly PointerToken[]): Found[] {
  if (Array.isArray(expected)) return collectArray(expected, actual, path);
  if (typeof expected === "object" && expected !== null) return collectObject(expected, actual, path);
  return Object.is(expected, actual) ? [] : [{ path, expected, actual }];
}

function collectObject(expected: object, actual: unknown, path: readonly PointerToken[]): Found[] {
  if (typeof actual !== "object" || actual === null || Array.isArray(actual)) return [{ path, expected, actual }];
  return Object.entries(expected).flatMap(([key, member]) =>
    collect(member, (actual as Record<string, unknown>)[key], [...path, key]),
  );
}

function collectArray(expected: readonly unknown[], actual: unknown, path: readonly PointerToken[]): Found[] {
  if (!Array.isArray(actual)) return [{ path, expected, actual }];
  let from = 0;
  for (const [index, element] of expected.entries()) {
    const place = actual.findIndex((candidate, at) => at >= from && collect(element, candidate, []).length === 0);
    if (place < 0) return [{ path: [...path, index], expected: element, actual: actual.slice(from) }];
    from = place + 1;
  }
  return [];
}
