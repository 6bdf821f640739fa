import { make } from "./element.ts";

/** The custom state as it changes: what changed lights up, and numbers that belong together become a bar. */
export class StatePanel {
  readonly #panel: HTMLDivElement;
  #shown = new Map<string, string>();

  constructor(panel: HTMLDivElement) {
    this.#panel = panel;
  }

  show(custom: unknown): void {
    const lines = flatten(custom, "");
    const before = this.#shown;
    this.#shown = new Map(lines);
    const rows = lines.map(([path, value]) => {
      const changed = before.size > 0 && before.get(path) !== value;
      return make(
        "div",
        { className: changed ? "row changed" : "row" },
        make("span", { text: path }),
        make("code", { text: value }),
      );
    });
    this.#panel.replaceChildren(
      ...progressOf(custom),
      ...(rows.length > 0 ? rows : [make("p", { text: "None yet." })]),
    );
    this.#panel.dataset["custom"] = JSON.stringify(custom ?? null);
  }
}

/** Every value with its place. */
function flatten(value: unknown, path: string): [string, string][] {
  if (typeof value !== "object" || value === null) return value === undefined ? [] : [[path, JSON.stringify(value)]];
  return Object.entries(value).flatMap(([key, member]) => flatten(member, path === "" ? key : `${path}.${key}`));
}

/** How far it is: so many done of so many, or questions that have an answer. */
function progressOf(custom: unknown): HTMLProgressElement[] {
  const { done, of, questions } = (custom ?? {}) as { done?: unknown; of?: unknown; questions?: unknown };
  if (typeof done === "number" && typeof of === "number" && of > 0) return [bar(done, of)];
  if (!Array.isArray(questions) || questions.length === 0) return [];
  return [bar(questions.filter((asked) => asked?.answer !== undefined).length, questions.length)];
}

function bar(value: number, max: number): HTMLProgressElement {
  const made = make("progress");
  made.max = max;
  made.value = value;
  return made;
}
