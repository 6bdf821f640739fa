import { AgentError } from "@agents/schema/error";
import type { Caller } from "@agents/schema/port";
import type { Database } from "./database/database.ts";
import type { Row, Statement } from "./database/statement.ts";
import type { SchemaCheck, SchemaFacts } from "./migration/schema-check.ts";
import type { ResolvedOptions } from "./options.ts";
import type { Statements } from "./statements.ts";
import type { PostgresStoreStep } from "./store-steps.ts";
import { encodeText } from "./text/text.ts";

/** Told by the parts of a store what they changed, so that whoever watches looks again. */
export interface HintSink {
  raise(scope: string, snapshotIds: readonly (string | undefined)[]): void;
}

/** What the parts of a store share. */
export class PostgresContext {
  readonly database: Database;
  readonly statements: Statements;
  /** Quoted. */
  readonly schema: string;
  readonly hints: HintSink;
  readonly #check: SchemaCheck;
  readonly #options: ResolvedOptions;
  /** Known once the schema was looked at: the way to it is not paved with promises then. */
  #facts: SchemaFacts | undefined;

  constructor(parts: {
    database: Database;
    statements: Statements;
    schema: string;
    hints: HintSink;
    check: SchemaCheck;
    options: ResolvedOptions;
  }) {
    this.database = parts.database;
    this.statements = parts.statements;
    this.schema = parts.schema;
    this.hints = parts.hints;
    this.#check = parts.check;
    this.#options = parts.options;
  }

  /** Scope and owner as every statement takes them first. Throws where scopes are the rule and none is given. */
  admit({ scope, owner }: Caller): [scope: string, owner: string | null] {
    if (this.#options.scoped && scope === "") {
      throw new AgentError(
        "FAILED_PRECONDITION",
        "This Postgres store was created with `scoped: true` and was called with an empty scope; give every call the scope of its tenant.",
      );
    }
    return [encodeText(scope), owner === undefined ? null : encodeText(owner)];
  }

  async facts(): Promise<SchemaFacts> {
    this.database.refuseClosed();
    this.#facts ??= await this.#check.passed();
    return this.#facts;
  }

  async run(statement: Statement, values: unknown[]): Promise<readonly Row[]> {
    if (this.#facts === undefined) await this.facts();
    return await this.database.run(statement, values);
  }

  /** The same, with its steps told to the tests. */
  async runSteps(name: "begin" | "append" | "settle", values: unknown[]): Promise<readonly Row[]> {
    const { onStep } = this.#options;
    if (onStep === undefined) return await this.run(this.statements[name], values);
    await onStep(`${name}:before-send` satisfies PostgresStoreStep);
    const rows = await this.run(this.statements[name], values);
    await onStep(`${name}:answered` satisfies PostgresStoreStep);
    return rows;
  }
}
