import { dollarQuote } from "./quote.ts";

export interface FunctionSql {
  /** Quoted. */
  readonly schema: string;
  /** With the number of its form: a process of the form before goes on calling that one. */
  readonly name: string;
  readonly parameters: string;
  /** `stable` functions see one moment, however many statements they have. */
  readonly volatility?: "volatile" | "stable";
  /** Of settings while it runs: `name = value`. */
  readonly setting?: string;
  readonly declare?: string;
  readonly body: string;
}

/**
 * What all functions answer: rows of five texts. The first says what the row is; the others are rows as text, ids and
 * contents, as its kind has it.
 */
export function functionSql({
  schema,
  name,
  parameters,
  volatility = "volatile",
  setting,
  declare,
  body,
}: FunctionSql): string {
  const block = `
#variable_conflict use_column
${declare === undefined ? "" : `declare ${declare}`}
begin
${body.trimEnd()}
end `;
  return `create function ${schema}.${name}(${parameters})
returns table (what text, one text, two text, three text, four text)
language plpgsql ${volatility}${setting === undefined ? "" : ` set ${setting}`} as ${dollarQuote(block)};
`;
}

const COLUMNS = ["one", "two", "three", "four"] as const;

/** An answer of one row, with nulls for what is not named. Assigned, which costs less than a query that selects it. */
export function answer(what: string, ...values: readonly string[]): string {
  const assigned = COLUMNS.map((column, index) => `${column} := ${values[index] ?? "null"};`);
  return `what := ${what}; ${assigned.join(" ")} return next`;
}
