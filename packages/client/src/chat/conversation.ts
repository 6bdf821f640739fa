import type { Message } from "@agents/schema/agent";

/** A user message that the server has not confirmed. */
export interface Expected {
  readonly message: Message | undefined;
}

/** Of which moment the server's account is. */
export interface Account {
  /** What was sent with the turn that it is of. */
  readonly expected?: Expected;
  /** Of its snapshot. */
  readonly ordinal?: number;
  /** A turn runs, so what was sent may be in none of it yet. */
  readonly live?: boolean;
}

/** What was said: as the server has it, and behind that what was just sent. */
export class Conversation {
  #confirmed: readonly Message[];
  #expected: readonly Expected[] = [];
  /** Made once per change, so that a page can compare by reference. */
  #messages: readonly Message[];
  /** Of the newest snapshot that was seen. */
  #ordinal = 0;

  constructor(messages: readonly Message[]) {
    this.#confirmed = messages;
    this.#messages = messages;
  }

  get messages(): readonly Message[] {
    return this.#messages;
  }

  /** Shows a message before the server has it. */
  expect(message: Message | undefined): Expected {
    const expected = { message };
    this.#change(this.#confirmed, [...this.#expected, expected]);
    return expected;
  }

  /** The turn failed: the message was never said. */
  drop(expected: Expected): void {
    this.#change(
      this.#confirmed,
      this.#expected.filter((other) => other !== expected),
    );
  }

  /** The turn went well, but what the server has now cannot be seen: this is the best guess. */
  keep(expected: Expected, answer: Message | undefined): void {
    const said = [expected.message, answer].filter((message) => message !== undefined);
    this.#change([...this.#confirmed, ...said], this.#after(expected));
  }

  /**
   * The server's own account, as of a turn. It holds what was sent up to that turn, whoever waited for it; an account that
   * is older than the last one changes nothing.
   */
  confirm(messages: readonly Message[], { expected, ordinal, live = false }: Account): void {
    const older = ordinal !== undefined && ordinal < this.#ordinal;
    this.#ordinal = Math.max(this.#ordinal, ordinal ?? 0);
    const unsent = live ? this.#expected : [];
    const rest = expected === undefined ? unsent : this.#after(expected);
    this.#change(older ? this.#confirmed : messages, rest);
  }

  #after(expected: Expected): readonly Expected[] {
    return this.#expected.slice(this.#expected.indexOf(expected) + 1);
  }

  #change(confirmed: readonly Message[], expected: readonly Expected[]): void {
    this.#confirmed = confirmed;
    this.#expected = expected;
    const said = expected.map(({ message }) => message).filter((message) => message !== undefined);
    this.#messages = said.length === 0 ? confirmed : [...confirmed, ...said];
  }
}
