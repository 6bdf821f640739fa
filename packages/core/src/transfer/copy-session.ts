import type { Caller, Store } from "@agents/schema/port";
import { exportSession } from "./export-session.ts";
import { type ImportReport, importSession } from "./import-session.ts";

export interface CopySessionOptions {
  readonly sessionId: string;
  /** Who reads it. @default the scope of a deployment without tenants */
  readonly caller?: Caller;
  /** Who it is written for. @default `caller` */
  readonly toCaller?: Caller;
}

/**
 * Copies a session between any two stores, or to another tenant of the same one; the original stays. Every state is hashed
 * on the way. Rejects as `exportSession` and `importSession` do, with nothing written.
 */
export async function copySession(
  from: Store,
  to: Store,
  { sessionId, caller, toCaller = caller }: CopySessionOptions,
): Promise<ImportReport> {
  const document = await exportSession(from, { sessionId, ...(caller === undefined ? {} : { caller }) });
  return await importSession(to, document, toCaller === undefined ? {} : { caller: toCaller });
}
