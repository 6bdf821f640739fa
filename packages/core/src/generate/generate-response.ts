import type { FinishReason, Message, ToolRequestPart, Usage } from "@agents/schema/agent";
import { toolRequestsOf } from "../tool/tool-message.ts";
import type { RoundsEnd } from "./run-rounds.ts";
import { textOf } from "./structured-output.ts";

/** What came of a generation. */
export class GenerateResponse<Output = unknown> {
  /** The last message of the model. */
  readonly message: Message;
  /** The conversation: what was given and what was added. System messages and the prompt are not part of it. */
  readonly messages: readonly Message[];
  readonly finishReason: FinishReason;
  /** Of all its model calls. */
  readonly usage: Usage;
  /** What providers could not honour, in words. */
  readonly warnings: readonly string[];
  readonly #output: unknown;

  constructor({ message, finishReason, usage, warnings, output }: RoundsEnd, messages: readonly Message[]) {
    this.message = message;
    this.messages = messages;
    this.finishReason = finishReason;
    this.usage = usage;
    this.warnings = warnings;
    this.#output = output;
  }

  get text(): string {
    return textOf(this.message);
  }

  get reasoning(): string {
    return this.message.content.map((part) => part.reasoning ?? "").join("");
  }

  /**
   * Where a schema was given: the value that fits it. Undefined without one, and where the answer was cut or blocked, or
   * waits for a person: `finishReason` says which.
   */
  get output(): Output {
    return this.#output as Output;
  }

  /** Calls that the last message makes: those that wait for a person, or with `returnToolRequests` all of them. */
  get toolRequests(): readonly ToolRequestPart[] {
    return toolRequestsOf(this.message);
  }

  /** Calls that wait for a person; `metadata.interrupt` says for what. */
  get interrupts(): readonly ToolRequestPart[] {
    if (this.finishReason !== "interrupted") return [];
    return this.toolRequests.filter(({ metadata }) => metadata?.interrupt !== undefined);
  }
}
