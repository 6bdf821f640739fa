import { createHash } from "node:crypto";
import { AgentError } from "@agents/schema/error";
import { isDuplicate, isRetryable, mapError } from "./map-error.ts";
import type { PostgresClient, PostgresPool, PostgresQuery } from "./postgres-pool.ts";
import type { Row, Statement } from "./statement.ts";

export interface DatabaseOptions {
  readonly pool: PostgresPool;
  /** Ends the pool, if it is the store's own. */
  readonly endPool: (() => Promise<void>) | undefined;
  readonly schema: string;
  readonly prepare: boolean;
  readonly statementTimeoutMs: number;
}

/** Often enough for two that collide; more means that something else is wrong, which the caller should hear of. */
const RETRIES = 4;
/** After the server's own limit, so that its answer is the one that is heard. */
const READ_GRACE_MS = 1_000;

/** The pool, with errors a caller may see, statements prepared where allowed, and a close that waits for what runs. */
export class Database {
  readonly schema: string;
  readonly #options: DatabaseOptions;
  readonly #names = new Map<string, string>();
  readonly #running = new Set<Promise<unknown>>();
  #closing: Promise<void> | undefined;

  constructor(options: DatabaseOptions) {
    this.#options = options;
    this.schema = options.schema;
  }

  get isClosed(): boolean {
    return this.#closing !== undefined;
  }

  /** One round trip. Deadlocks and the like are tried again: they have done nothing. */
  async run(statement: Statement, values: unknown[]): Promise<readonly Row[]> {
    const query = this.#queryOf(statement, values);
    for (let attempt = 1; ; attempt++) {
      try {
        return (await this.#track(this.#options.pool.query(query))).rows as readonly Row[];
      } catch (error) {
        const again = isRetryable(error) || isDuplicate(error);
        if (!again || attempt > RETRIES) throw mapError(error, statement.name, this.schema);
      }
    }
  }

  /** All or nothing. The callback's queries go over one connection, which is given up if anything fails. */
  async transaction<T>(what: string, work: (query: TransactionQuery) => Promise<T>): Promise<T> {
    return await this.#track(this.#transact(what, work));
  }

  /** A connection that stays with the caller until it releases it. */
  async connect(): Promise<PostgresClient> {
    this.refuseClosed();
    try {
      return await this.#options.pool.connect();
    } catch (error) {
      throw mapError(error, "connect", this.schema);
    }
  }

  refuseClosed(): void {
    if (!this.isClosed) return;
    throw new AgentError("FAILED_PRECONDITION", "This Postgres store is closed; create another.");
  }

  /** Takes nothing more, waits for what runs, and ends the pool if it is the store's own. */
  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  async #end(): Promise<void> {
    await Promise.allSettled(this.#running);
    await this.#options.endPool?.();
  }

  async #transact<T>(what: string, work: (query: TransactionQuery) => Promise<T>): Promise<T> {
    const client = await this.connect();
    // A connection that breaks between two queries says so by an event, which unheard would end the process.
    client.on("error", ignore);
    const query: TransactionQuery = async (text, values = []) =>
      (await client.query({ text, values, rowMode: "array" })).rows as readonly Row[];
    try {
      await query("begin");
      const result = await work(query);
      await query("commit");
      client.removeListener("error", ignore);
      client.release();
      return result;
    } catch (error) {
      // Closing the connection rolls back, also where the server can no longer be told to.
      client.release(true);
      throw error instanceof RolledBack ? error : mapError(error, what, this.schema);
    }
  }

  #track<T>(work: Promise<T>): Promise<T> {
    this.#running.add(work);
    const done = () => {
      this.#running.delete(work);
    };
    work.then(done, done);
    return work;
  }

  #queryOf({ text }: Statement, values: unknown[]): PostgresQuery {
    this.refuseClosed();
    const query: PostgresQuery = {
      text,
      values,
      rowMode: "array",
      query_timeout: this.#options.statementTimeoutMs + READ_GRACE_MS,
    };
    if (this.#options.prepare) query.name = this.#nameOf(text);
    return query;
  }

  /** Of the text, which names the schema: several stores may share a pool, where a name stands for one text. */
  #nameOf(text: string): string {
    let name = this.#names.get(text);
    if (name === undefined) {
      name = `agents_${createHash("sha256").update(text).digest("hex").slice(0, 16)}`;
      this.#names.set(text, name);
    }
    return name;
  }
}

function ignore(): void {}

/** Thrown by the work of a transaction that is to leave nothing behind. */
export class RolledBack extends Error {}

export type TransactionQuery = (text: string, values?: unknown[]) => Promise<readonly Row[]>;
