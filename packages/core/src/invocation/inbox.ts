import type { AgentInput } from "@agents/schema/agent";

/** The inputs of an invocation, in order. */
export class Inbox {
  #first: AgentInput | undefined;
  #reader: AsyncIterator<AgentInput> | undefined;

  /**
   * @param first The one that is there already.
   * @param others Those that may follow; undefined where it is known that none will.
   */
  constructor(first: AgentInput | undefined, others: AsyncIterable<AgentInput> | undefined) {
    this.#first = first;
    this.#reader = others?.[Symbol.asyncIterator]();
  }

  /** The input that is there already, or undefined: then `next` has to be waited for. */
  take(): AgentInput | undefined {
    const input = this.#first;
    this.#first = undefined;
    return input;
  }

  /** Nothing is there, and nothing will come. */
  get isEmpty(): boolean {
    return this.#first === undefined && this.#reader === undefined;
  }

  /** The next input; undefined when the client has closed or left and nothing is queued. Throws when it cancelled. */
  async next(): Promise<AgentInput | undefined> {
    const there = this.take();
    if (there !== undefined || this.#reader === undefined) return there;
    const { value, done } = await this.#reader.next();
    if (!done) return value;
    this.#reader = undefined;
    return undefined;
  }
}

/** An input that says nothing but that the client leaves. It starts no turn. */
export function onlyDetaches({ message, resume, detach }: AgentInput): boolean {
  return detach === true && message === undefined && resume === undefined;
}

/** An input without one runs the turn on the conversation as it stands. */
export function hasPayload({ message, resume }: AgentInput): boolean {
  return message !== undefined || resume !== undefined;
}
