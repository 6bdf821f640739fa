import { createHmac } from "node:crypto";
import { AgentError } from "@agents/schema/error";

/** What a cursor is good for: one list. */
export type ListName = readonly (string | undefined)[];

/** A place in a list: the order and the name of the last item of a page. */
export interface ListPlace {
  readonly order: number;
  readonly name: string;
}

/** Makes cursors that only stores over the same data, for the same list, take back: `<place>.<seal>`. */
export class CursorSeal {
  readonly #secret: string;

  constructor(secret: string) {
    this.#secret = secret;
  }

  make(list: ListName, { order, name }: ListPlace): string {
    const place = Buffer.from(JSON.stringify([order, name])).toString("base64url");
    return `${place}.${this.#seal(list, place)}`;
  }

  /** Throws INVALID_ARGUMENT for a cursor of other data or another list, and for any other text. */
  read(list: ListName, cursor: string): ListPlace {
    const place = /^[\w-]{1,2000}(?=\.)/.exec(cursor)?.[0];
    if (place !== undefined && cursor === `${place}.${this.#seal(list, place)}`) {
      const [order, name] = JSON.parse(Buffer.from(place, "base64url").toString());
      return { order, name };
    }
    throw new AgentError(
      "INVALID_ARGUMENT",
      "This cursor was not made by this store for this list; start again without one.",
      { details: { cursor: cursor.slice(0, 64) } },
    );
  }

  #seal(list: ListName, place: string): string {
    const text = JSON.stringify([place, ...list.map((part) => part ?? null)]);
    return createHmac("sha256", this.#secret).update(text).digest("base64url").slice(0, 22);
  }
}
