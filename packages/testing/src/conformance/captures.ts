import { AgentError } from "@agents/schema/error";

const WHOLE = /^\{\{([^{}]+)\}\}$/;
const PLACES = /\{\{([^{}]+)\}\}/g;

/** What earlier steps of a case have captured, by name. */
export class Captures {
  readonly #values = new Map<string, unknown>();

  set(name: string, value: unknown): void {
    this.#values.set(name, value);
  }

  /**
   * The value with every `{{name}}` in its strings replaced. A string that is nothing else becomes the captured value
   * itself, an object for one. Throws INVALID_ARGUMENT for a name that no step has captured.
   */
  fill<T>(value: T): T {
    return this.#fill(value) as T;
  }

  #fill(value: unknown): unknown {
    if (typeof value === "string") return this.#fillText(value);
    if (Array.isArray(value)) return value.map((element) => this.#fill(element));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, this.#fill(member)]));
  }

  #fillText(text: string): unknown {
    const whole = WHOLE.exec(text)?.[1];
    if (whole !== undefined) return this.#get(whole);
    return text.replace(PLACES, (_, name: string) => String(this.#get(name)));
  }

  #get(name: string): unknown {
    if (this.#values.has(name)) return this.#values.get(name);
    const known = [...this.#values.keys()].join(", ") || "none";
    throw new AgentError("INVALID_ARGUMENT", `{{${name}}} was not captured by an earlier step; captured: ${known}.`);
  }
}
