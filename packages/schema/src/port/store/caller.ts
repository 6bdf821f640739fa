/** Who asks. Given to every store method, so that no query can forget the tenant. */
export interface Caller {
  /**
   * The tenant: part of every key. Rows of another scope do not exist for this caller, with the same answer as for an
   * id that never was. The empty string is the scope of a deployment without tenants; a store that was set up with
   * scopes refuses it (FAILED_PRECONDITION).
   */
  readonly scope: string;
  /**
   * On whose behalf. A session takes the owner of the call that makes it, and its turns have the session's. When given,
   * rows of another owner do not exist for this caller, with the answer of an unknown id (`notFound`, undefined, left out
   * of lists); rows without an owner do. Without it, owners are not looked at.
   */
  readonly owner?: string;
}
