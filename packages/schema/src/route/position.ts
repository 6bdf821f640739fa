import { AgentError } from "../error/index.ts";

/** A place in a turn's event log. A reader at `epoch-seq` has seen everything up to and including `seq`. */
export interface Position {
  readonly epoch: number;
  readonly seq: number;
}

/** As it travels: `epoch-seq`, opaque to clients. */
export const POSITION_PATTERN = /^(0|[1-9]\d{0,14})-(0|[1-9]\d{0,14})$/;

export function formatPosition({ epoch, seq }: Position): string {
  return `${epoch}-${seq}`;
}

/** Throws INVALID_ARGUMENT for anything that `formatPosition` did not write. */
export function parsePosition(text: string): Position {
  const match = POSITION_PATTERN.exec(text);
  if (match === null) {
    throw new AgentError(
      "INVALID_ARGUMENT",
      `${JSON.stringify(text.slice(0, 80))} is not a position; send one that a stream frame carried, or none to start at the beginning.`,
    );
  }
  return { epoch: Number(match[1]), seq: Number(match[2]) };
}
