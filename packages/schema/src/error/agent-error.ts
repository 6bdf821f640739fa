import { isStatus, type Status } from "./status.ts";

export interface AgentErrorOptions {
  /** JSON that may be shown to the other side: ids, paths, limits. Never put a secret or a thrown value here. */
  details?: unknown;
  /** What led here. Stays in this process: it is not part of the wire form. */
  cause?: unknown;
}

/** Shared by every copy of this package in a process, so that duplicates recognise each other's errors. */
const BRAND: unique symbol = Symbol.for("@agents/schema/AgentError") as never;

/** The one error class. `status` is for programs, `message` for people, `details` for both. */
export class AgentError extends Error {
  override readonly name = "AgentError";
  readonly status: Status;
  /** Declared, not defined: an error without details has no such property. */
  declare readonly details?: unknown;
  readonly [BRAND] = true;

  constructor(status: Status, message: string, options: AgentErrorOptions = {}) {
    super(message, "cause" in options ? { cause: options.cause } : undefined);
    this.status = status;
    if (options.details !== undefined) this.details = options.details;
  }

  /** Prefer this to `instanceof`, which is false for an error made by another installed copy of this package. */
  static is(value: unknown): value is AgentError {
    if (typeof value !== "object" || value === null) return false;
    try {
      return BRAND in value && isStatus((value as { status?: unknown }).status);
    } catch {
      // A revoked proxy, a getter that throws: whatever it is, it is none of ours.
      return false;
    }
  }
}
