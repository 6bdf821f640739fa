import type { TurnEvent } from "@agents/schema/wire";

const SVG = "http://www.w3.org/2000/svg";

/** A lane per family of events, so that colours are never the only difference. */
const LANES: Readonly<Record<string, { y: number; color: string }>> = {
  turn: { y: 8, color: "var(--good)" },
  state: { y: 18, color: "var(--accent)" },
  status: { y: 28, color: "var(--ink)" },
  artifact: { y: 38, color: "var(--bad)" },
};

/** Events as dots over time, with their type and number as tooltip. */
export function drawTimeline(svg: SVGSVGElement, events: readonly TurnEvent[]): void {
  const start = time(events[0]);
  const span = Math.max(1, time(events.at(-1)) - start);
  svg.setAttribute("viewBox", "0 0 400 44");
  svg.replaceChildren(...events.map((event) => dot(event, 6 + (388 * (time(event) - start)) / span)));
}

function dot(event: TurnEvent, x: number): SVGCircleElement {
  const lane = LANES[event.type.split(".")[0] ?? ""] ?? { y: 42, color: "var(--line)" };
  const circle = document.createElementNS(SVG, "circle");
  circle.setAttribute("cx", String(x));
  circle.setAttribute("cy", String(lane.y));
  circle.setAttribute("r", "3");
  circle.setAttribute("fill", lane.color);
  const title = document.createElementNS(SVG, "title");
  title.textContent = `${event.seq} ${event.type}`;
  circle.append(title);
  return circle;
}

function time(event: TurnEvent | undefined): number {
  return event === undefined ? 0 : Date.parse(event.createdAt);
}
