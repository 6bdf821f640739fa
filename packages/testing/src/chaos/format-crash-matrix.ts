import type { CrashRow } from "./contract/crash-contract.ts";

/** As a Markdown table, its columns aligned, for the README of a store. */
export function formatCrashMatrix(rows: readonly CrashRow[]): string {
  const table = [
    ["during", "at the step", "what was killed", "what a reader sees afterwards"],
    ...rows.map(({ operation, step, killed, seen }) => [operation, `\`${step}\``, killed, seen]),
  ].map((cells) => cells.map((cell) => cell.replaceAll("|", "\\|")));
  const widths = [0, 1, 2, 3].map((column) => Math.max(...table.map((cells) => cells[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  const [head = [], ...body] = table;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...body.map(line)].join("\n");
}
