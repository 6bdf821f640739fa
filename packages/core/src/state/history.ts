import type { Message } from "@agents/schema/agent";

/**
 * Messages in their order, each frozen. Appending makes a new history and leaves this one as it was, but both share one
 * array: a turn costs what it adds, however long the conversation. A list to hand out is made when somebody asks for it.
 */
export class History {
  readonly length: number;
  /** Longer than `length` where another history has gone on from here. */
  readonly #shared: Message[];
  #list: readonly Message[] | undefined;

  /** @param shared Taken as it is: nobody else writes to it. */
  private constructor(shared: Message[], length: number) {
    this.#shared = shared;
    this.length = length;
  }

  static of(messages: readonly Message[]): History {
    return new History([...messages], messages.length);
  }

  append(added: readonly Message[]): History {
    if (added.length === 0) return this;
    // Only the newest history of an array goes on in it; an older one branches, into an array of its own.
    const shared = this.#shared.length === this.length ? this.#shared : this.from(0);
    for (const message of added) shared.push(message);
    return new History(shared, shared.length);
  }

  /** The messages from this place on. */
  from(start: number): Message[] {
    return this.#shared.slice(start, this.length);
  }

  findLast(holds: (message: Message) => boolean): Message | undefined {
    for (let index = this.length - 1; index >= 0; index--) {
      const message = this.#shared[index] as Message;
      if (holds(message)) return message;
    }
    return undefined;
  }

  /** Frozen, and the same at each call. */
  list(): readonly Message[] {
    this.#list ??= Object.freeze(this.from(0));
    return this.#list;
  }
}
