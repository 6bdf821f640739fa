import type { Compared } from "./compare.ts";

/** The table, a row for each comparison, as text. */
export function formatReport(results: readonly Compared[]): string {
  const rows = results.map((result) => [
    result.name,
    shown(result.ours, result),
    shown(result.baseline, result),
    result.ratio.toPrecision(3),
    `<= ${result.atMost}`,
    isWithin(result) ? "ok" : "OVER",
    result.note ?? "",
  ]);
  const table = [["", "ours", "baseline", "ratio", "budget", "", "produced"], ...rows];
  const widths = table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? [];
  return table
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** Prints the table; the process ends with exit code 1 if a budget was missed. */
export function report(results: readonly Compared[]): void {
  console.log(formatReport(results));
  if (!results.every(isWithin)) process.exitCode = 1;
}

export function isWithin({ ratio, atMost }: Pick<Compared, "ratio" | "atMost">): boolean {
  return ratio <= atMost;
}

function shown(figure: number, { work, unit }: Compared): string {
  return unit === "bytes" ? `${Math.round(figure / 1_000)} kB` : shownTime(figure, work);
}

function shownTime(microseconds: number, work: Compared["work"]): string {
  if (work === undefined) return `${microseconds < 100 ? microseconds.toPrecision(3) : Math.round(microseconds)} µs`;
  const rate = (work.count * 1e6) / microseconds;
  return `${rate >= 1e6 ? `${(rate / 1e6).toFixed(2)} M` : `${Math.round(rate / 1e3)} k`} ${work.unit}/s`;
}
