import type { AgentChunk } from "@agents/schema/agent";
import { make, shape } from "./element.ts";

/** A lane per kind of chunk, so that colours are never the only difference. */
const LANES = {
  text: { y: 8, color: "var(--accent)" },
  tool: { y: 18, color: "var(--warm)" },
  state: { y: 28, color: "var(--good)" },
  status: { y: 38, color: "var(--ink)" },
  artifact: { y: 48, color: "var(--bad)" },
  end: { y: 58, color: "var(--line)" },
} as const;
type Lane = keyof typeof LANES;

interface Seen {
  readonly lane: Lane;
  readonly at: number;
}

/** What a turn streamed, as dots over time. */
export class Timeline {
  readonly #svg: SVGSVGElement;
  readonly #count: HTMLOutputElement;
  #seen: Seen[] = [];
  #scheduled = false;

  constructor(svg: SVGSVGElement, count: HTMLOutputElement, legend: HTMLParagraphElement) {
    this.#svg = svg;
    this.#count = count;
    legend.replaceChildren(
      ...Object.entries(LANES).map(([name, { color }]) => {
        const dot = make("span", { text: `● ${name} ` });
        dot.style.color = color;
        return dot;
      }),
    );
  }

  clear(): void {
    this.#seen = [];
    this.#draw();
  }

  add(chunk: AgentChunk): void {
    this.#seen.push({ lane: laneOf(chunk), at: performance.now() });
    if (this.#scheduled) return;
    this.#scheduled = true;
    requestAnimationFrame(() => this.#draw());
  }

  #draw(): void {
    this.#scheduled = false;
    const start = this.#seen[0]?.at ?? 0;
    const span = Math.max(1, (this.#seen.at(-1)?.at ?? 0) - start);
    this.#svg.setAttribute("viewBox", "0 0 400 64");
    this.#svg.replaceChildren(
      ...this.#seen.map(({ lane, at }) => {
        const { y, color } = LANES[lane];
        const x = 6 + (388 * (at - start)) / span;
        return shape("circle", { cx: x, cy: y, r: 3, fill: color }, `${lane} after ${Math.round(at - start)} ms`);
      }),
    );
    this.#count.textContent = String(this.#seen.length);
  }
}

function laneOf({ modelChunk, customPatch, artifact, status, turnEnd }: AgentChunk): Lane {
  if (modelChunk !== undefined) return modelChunk.role === "tool" ? "tool" : "text";
  if (customPatch !== undefined) return "state";
  if (artifact !== undefined) return "artifact";
  if (turnEnd !== undefined) return "end";
  return status === undefined ? "end" : "status";
}
