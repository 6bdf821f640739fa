import type { StoredStatus } from "@agents/schema/agent";
import type { TurnMeta } from "@agents/schema/port";

/** Statuses as the scripts have them: a list of them is a text. */
export const STATUS_LETTER = {
  pending: "p",
  aborting: "g",
  completed: "c",
  failed: "f",
  aborted: "a",
} as const satisfies Record<TurnMeta["status"], string>;

const STATUS_OF = new Map<string, StoredStatus>(
  Object.entries(STATUS_LETTER).map(([status, letter]) => [letter, status as StoredStatus]),
);

export function toLetters(statuses: readonly StoredStatus[]): string {
  let letters = "";
  for (const status of statuses) letters += STATUS_LETTER[status];
  return letters;
}

export function fromLetter(letter: string): StoredStatus | undefined {
  return STATUS_OF.get(letter);
}
