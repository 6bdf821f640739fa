import { createHmac, randomBytes } from "node:crypto";
import { AgentError } from "@agents/schema/error";

/** What a cursor is good for: one list of one store. */
export type ListName = readonly (string | undefined)[];

/** Makes cursors that only this store, for the same list, takes back: `<position>.<seal>`. */
export class CursorSeal {
  readonly #key = randomBytes(16);

  make(list: ListName, position: number): string {
    return `${position}.${this.#seal(list, position)}`;
  }

  /** The position in it. Throws INVALID_ARGUMENT for a cursor of another store or list, and for any other text. */
  read(list: ListName, cursor: string): number {
    const position = Number(/^\d{1,16}(?=\.)/.exec(cursor)?.[0]);
    if (cursor === this.make(list, position)) return position;
    throw new AgentError(
      "INVALID_ARGUMENT",
      "This cursor was not made by this store for this list; start again without one.",
      { details: { cursor: cursor.slice(0, 64) } },
    );
  }

  #seal(list: ListName, position: number): string {
    const text = JSON.stringify([position, ...list.map((part) => part ?? null)]);
    return createHmac("sha256", this.#key).update(text).digest("base64url").slice(0, 22);
  }
}
