/** One call. Named ones are prepared once per connection, unless a pooler forbids it. */
export interface Statement {
  /** Of the function or list, for messages, and for the prepared statement with the schema's. */
  readonly name: string;
  readonly text: string;
}

/** Rows of texts, as the functions answer. */
export type Row = readonly (string | null)[];
