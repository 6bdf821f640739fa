/** Who asks. Given to every store method, so that no query can forget the tenant. */
export interface Caller {
  /**
   * The tenant: part of every key. Rows of another scope do not exist for this caller, with the same answer as for an
   * id that never was. The empty string is the scope of a deployment without tenants; a store that was set up with
   * scopes refuses it (FAILED_PRECONDITION).
   */
  readonly scope: string;
  /** When given, rows that carry another owner do not exist for this caller either. Rows without an owner do. */
  readonly owner?: string;
}
