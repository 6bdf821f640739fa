import { dollarQuote } from "./quote.ts";

export interface FunctionSql {
  /** Quoted. */
  readonly schema: string;
  /** With the number of its form: a process of the form before goes on calling that one. */
  readonly name: string;
  readonly parameters: string;
  /** `stable` functions see one moment, however many statements they have. */
  readonly volatility?: "volatile" | "stable";
  readonly declare?: string;
  readonly body: string;
}

/**
 * What all functions answer: rows of five texts. The first says what the row is; the others are JSON of rows, ids and
 * contents, as its kind has it.
 */
export function functionSql({ schema, name, parameters, volatility = "volatile", declare, body }: FunctionSql): string {
  const block = `
#variable_conflict use_column
${declare === undefined ? "" : `declare ${declare}`}
begin
${body.trimEnd()}
end `;
  return `create function ${schema}.${name}(${parameters})
returns table (what text, one text, two text, three text, four text)
language plpgsql ${volatility} as ${dollarQuote(block)};
`;
}

/** An answer of one row, with nulls for what is not named. */
export function answer(what: string, ...columns: readonly string[]): string {
  const all = [what, ...columns, ...Array.from({ length: 4 - columns.length }, () => "null::text")];
  return `return query select ${all.map((column, index) => (index === 0 ? `${column}::text` : column)).join(", ")}`;
}
