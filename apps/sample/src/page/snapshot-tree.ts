import type { SnapshotSummary } from "@agents/schema/agent";
import { shape } from "./element.ts";

const COLOR: Readonly<Record<SnapshotSummary["status"], string>> = {
  pending: "var(--accent)",
  aborting: "var(--warm)",
  completed: "var(--good)",
  failed: "var(--bad)",
  aborted: "var(--warm)",
  expired: "var(--line)",
};

interface Placed {
  readonly snapshot: SnapshotSummary;
  readonly x: number;
  readonly y: number;
}

const STEP = 34;

/** Turns from left to right, a branch on a line of its own. Click one to go on from there. */
export function drawSnapshotTree(
  svg: SVGSVGElement,
  snapshots: readonly SnapshotSummary[],
  { current, onPick }: { current: string | undefined; onPick: (snapshotId: string) => void },
): void {
  const placed = place([...snapshots].sort((a, b) => a.ordinal - b.ordinal));
  const width = Math.max(6, ...[...placed.values()].map(({ x }) => x + 1)) * STEP;
  const height = Math.max(1, ...[...placed.values()].map(({ y }) => y + 1)) * STEP;
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.style.height = `${Math.min(height, 260)}px`;
  const all = [...placed.values()];
  svg.replaceChildren(...all.flatMap((one) => edge(one, placed)), ...all.map((one) => node(one, { current, onPick })));
}

/** The first child goes on in its parent's line, each further one begins a line below all others. */
function place(snapshots: readonly SnapshotSummary[]): Map<string, Placed> {
  const placed = new Map<string, Placed>();
  const continued = new Set<string>();
  let lines = 0;
  for (const snapshot of snapshots) {
    const parent = snapshot.parentId === undefined ? undefined : placed.get(snapshot.parentId);
    const goesOn = parent !== undefined && !continued.has(parent.snapshot.snapshotId);
    if (goesOn) continued.add(parent.snapshot.snapshotId);
    const y = goesOn ? parent.y : lines++;
    placed.set(snapshot.snapshotId, { snapshot, x: parent === undefined ? 0 : parent.x + 1, y });
  }
  return placed;
}

const middle = (cell: number): number => cell * STEP + STEP / 2;

function edge({ snapshot, x, y }: Placed, placed: ReadonlyMap<string, Placed>): SVGElement[] {
  const parent = snapshot.parentId === undefined ? undefined : placed.get(snapshot.parentId);
  if (parent === undefined) return [];
  const path = `M ${middle(parent.x)} ${middle(parent.y)} C ${middle(x) - STEP / 2} ${middle(parent.y)} ${middle(x) - STEP / 2} ${middle(y)} ${middle(x)} ${middle(y)}`;
  return [shape("path", { d: path, fill: "none", stroke: "var(--line)", "stroke-width": 2 })];
}

function node(
  { snapshot, x, y }: Placed,
  { current, onPick }: { current: string | undefined; onPick: (snapshotId: string) => void },
): SVGElement {
  const { snapshotId, status, finishReason, ordinal } = snapshot;
  const isCurrent = snapshotId === current;
  const label = `Turn ${ordinal}: ${status}${finishReason === undefined ? "" : ` (${finishReason})`}`;
  const made = shape(
    "circle",
    {
      cx: middle(x),
      cy: middle(y),
      r: isCurrent ? 11 : 8,
      fill: COLOR[status],
      stroke: "var(--ink)",
      "stroke-width": isCurrent ? 2.5 : 0,
      tabindex: 0,
      role: "button",
      "aria-label": label,
      "data-snapshot": snapshotId,
      "data-status": status,
    },
    label,
  );
  made.addEventListener("click", () => onPick(snapshotId));
  made.addEventListener("keydown", (event) => {
    if ((event as KeyboardEvent).key === "Enter") onPick(snapshotId);
  });
  return made;
}
