import { applyPatch, jsonEqual } from "@agents/schema/patch";
import { decodeSse } from "@agents/schema/sse";
import type { TurnEvent } from "@agents/schema/wire";
import { drawTimeline } from "./draw-timeline.ts";
import { element } from "./element.ts";

interface Survey {
  total: number;
  done: number;
  sizes: Record<string, number>;
}

/** Follows the survey's events and draws the state that their patches make. */
export async function runSurvey(): Promise<void> {
  const status = element("status", HTMLOutputElement);
  const events: TurnEvent[] = [];
  let state: unknown;
  let verdict = "";
  status.textContent = "measuring …";
  const response = await fetch("survey");
  if (!response.ok || response.body === null) throw new Error(`GET /survey answered ${response.status}`);
  for await (const frame of decodeSse(response.body)) {
    const event = JSON.parse(frame.data) as TurnEvent;
    events.push(event);
    if (event.type === "state.patched") state = applyPatch(state, event.data.patch);
    if (event.type === "artifact.added") verdict = judge(state, event.data.artifact);
    drawChart(state as Survey | undefined);
    drawTimeline(element("timeline", SVGSVGElement), events);
  }
  const patches = events.filter((event) => event.type === "state.patched").length;
  status.textContent = `${verdict} from ${patches} patches in ${events.length} events`;
}

function judge(
  rebuilt: unknown,
  artifact: { parts: { data?: unknown }[]; metadata?: Record<string, unknown> | undefined },
): string {
  const hash = String(artifact.metadata?.["stateHash"]).slice(0, 12);
  return jsonEqual(rebuilt, artifact.parts[0]?.data) ? `rebuilt state ${hash}` : `state differs from ${hash}`;
}

function drawChart(survey: Survey | undefined): void {
  if (survey === undefined) return;
  const progress = element("progress", HTMLProgressElement);
  progress.max = survey.total;
  progress.value = survey.done;
  const sizes = Object.entries(survey.sizes).sort(([, a], [, b]) => b - a);
  const largest = sizes[0]?.[1] ?? 1;
  element("chart", HTMLOListElement).replaceChildren(...sizes.map(([name, bytes]) => bar(name, bytes, largest)));
}

function bar(name: string, bytes: number, largest: number): HTMLLIElement {
  const row = document.createElement("li");
  const label = document.createElement("span");
  label.textContent = name;
  const fill = document.createElement("div");
  fill.className = "bar";
  fill.style.width = `${Math.max(0.5, (100 * bytes) / largest)}%`;
  const figure = document.createElement("span");
  figure.className = "bytes";
  figure.textContent = `${bytes} B`;
  row.append(label, fill, figure);
  return row;
}
