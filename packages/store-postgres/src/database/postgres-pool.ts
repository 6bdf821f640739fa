/** What is used of a `pg.Pool`: structural, so that the types of `pg` are no part of this package's. */
export interface PostgresPool {
  connect(): Promise<PostgresClient>;
  query(query: PostgresQuery): Promise<PostgresRows>;
  readonly totalCount: number;
  readonly waitingCount: number;
}

export interface PostgresClient {
  query(query: PostgresQuery): Promise<PostgresRows>;
  /** With `true` or an error the connection is closed instead of going back to the pool. */
  release(destroy?: Error | boolean): void;
  on(event: "notification", listener: (message: { channel: string; payload?: string | undefined }) => void): unknown;
  on(event: "error", listener: (error: Error) => void): unknown;
  on(event: "end", listener: () => void): unknown;
  removeListener(event: "error", listener: (error: Error) => void): unknown;
  removeAllListeners(event: "notification" | "error" | "end"): unknown;
  ref?(): void;
  unref?(): void;
}

export interface PostgresQuery {
  text: string;
  /** Prepared under it, once per connection. */
  name?: string;
  values?: unknown[];
  rowMode?: "array";
  /** How long the driver waits for the answer, in milliseconds. */
  query_timeout?: number;
}

export interface PostgresRows {
  readonly rows: readonly unknown[];
}
