import type { Message, Part } from "@agents/schema/agent";
import { make } from "./element.ts";

/** What a person can say to a call that waits. */
export type Decide = (request: NonNullable<Part["toolRequest"]>, approved: boolean) => void;

const WHO = { user: "You", model: "Agent", tool: "Tool", system: "System" } as const;

/** The conversation, with its tool calls, and buttons where a call waits for a person. */
export class MessageList {
  readonly #list: HTMLOListElement;
  readonly #decide: Decide;
  #live: HTMLLIElement | undefined;

  constructor(list: HTMLOListElement, decide: Decide) {
    this.#list = list;
    this.#decide = decide;
  }

  show(messages: readonly Message[]): void {
    this.#live = undefined;
    const last = messages.length - 1;
    this.#list.replaceChildren(...messages.map((message, index) => this.#item(message, index === last)));
    this.#list.lastElementChild?.scrollIntoView({ block: "nearest" });
  }

  /** A piece of a message that is being written. */
  grow(text: string): void {
    this.#live ??= this.#begin();
    this.#live.append(text);
    this.#live.scrollIntoView({ block: "nearest" });
  }

  /** What was shown of the turn is void. */
  dropLive(): void {
    this.#live?.remove();
    this.#live = undefined;
  }

  #begin(): HTMLLIElement {
    const item = make("li", { className: "model live" }, make("b", { text: `${WHO.model} ` }));
    this.#list.append(item);
    return item;
  }

  #item({ role, content }: Message, isLast: boolean): HTMLLIElement {
    const parts = content.map((part) => this.#part(part, isLast));
    return make("li", { className: role }, make("b", { text: `${WHO[role]} ` }), ...parts);
  }

  #part(part: Part, isLast: boolean): Node {
    const { text, toolRequest, toolResponse, metadata } = part;
    if (toolRequest !== undefined) {
      const waits = isLast && metadata?.interrupt !== undefined && !("pendingOutput" in metadata);
      const call = make("code", { text: `${toolRequest.name}(${JSON.stringify(toolRequest.input ?? {})})` });
      return waits ? make("div", {}, call, this.#question(toolRequest, metadata.interrupt)) : call;
    }
    if (toolResponse !== undefined) {
      const { output } = toolResponse;
      return make("code", {
        text: `${toolResponse.name} → ${typeof output === "string" ? output : JSON.stringify(output)}`,
      });
    }
    return document.createTextNode(text ?? "");
  }

  #question(request: NonNullable<Part["toolRequest"]>, interrupt: unknown): HTMLElement {
    const { question = "May it go on?" } = (interrupt ?? {}) as { question?: string };
    const yes = make("button", { className: "approve", text: "Approve" });
    const no = make("button", { className: "decline", text: "Decline" });
    yes.addEventListener("click", () => this.#decide(request, true));
    no.addEventListener("click", () => this.#decide(request, false));
    return make("div", { className: "question" }, make("span", { text: `${question} ` }), yes, no);
  }
}
