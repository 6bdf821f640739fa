import type { IdSource } from "@agents/schema/port";

/**
 * Ids that look like UUIDs and count from 1, so that a test can foretell them: the second of seed 7 is
 * `00000007-0000-4000-8000-000000000002`. Two sources of different seeds never give the same id.
 *
 * @param seed A whole number from 0 to 4,294,967,295.
 */
export function createIdSource(seed = 0): IdSource {
  if (!Number.isInteger(seed) || seed < 0 || seed > 0xffff_ffff) {
    throw new RangeError(`A seed is a whole number from 0 to 4294967295, not ${seed}.`);
  }
  const prefix = `${hex(seed, 8)}-0000-4000-8000-`;
  let last = 0;
  return {
    uuid() {
      last += 1;
      return prefix + hex(last, 12);
    },
  };
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, "0");
}
