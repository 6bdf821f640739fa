import { AgentError } from "@agents/schema/error";
import type { PageOf } from "@agents/schema/port";

export interface PageRequest<Row, Item> {
  /** In the order of the list, from where the page starts. Read no further than one row past the page. */
  readonly rows: Iterable<{ readonly position: number; readonly row: Row }>;
  readonly limit: number;
  readonly toItem: (row: Row) => Item;
  readonly toCursor: (position: number) => string;
}

export function takePage<Row, Item>({ rows, limit, toItem, toCursor }: PageRequest<Row, Item>): PageOf<Item> {
  refuseBadLimit(limit);
  const items: Item[] = [];
  let last = 0;
  for (const { position, row } of rows) {
    if (items.length === limit) return { items, cursor: toCursor(last) };
    items.push(toItem(row));
    last = position;
  }
  return { items };
}

export function refuseBadLimit(limit: number): void {
  if (Number.isInteger(limit) && limit >= 1) return;
  throw new AgentError("INVALID_ARGUMENT", `A limit of ${limit} is of no use; it takes a whole number of at least 1.`);
}
