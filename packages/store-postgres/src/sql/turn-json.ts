/**
 * A turn's row as the JSON text of a TurnMeta, nulls included: one column to send and to parse instead of twenty.
 * `row` is a table's alias or a record variable, `now` an expression; what must be computed from the row is computed here
 * alone. Never reads `content`, which may be large and stored apart.
 */
export function turnJson(row: string, now: string): string {
  const isLive = `${row}.status in ('pending', 'aborting')`;
  return `json_build_object(
    'format', ${row}.format,
    'snapshotId', ${row}.id, 'sessionId', ${row}.session_id, 'agent', ${row}.agent, 'parentId', ${row}.parent,
    'ordinal', ${row}.ord, 'status', ${row}.status, 'stale', ${isLive} and ${row}.lease_until <= ${now},
    'version', ${row}.version, 'epoch', ${row}.epoch, 'lastSeq', ${row}.last_seq, 'result', ${row}.result,
    'owner', ${row}.owner, 'createdAt', ${row}.created_at, 'updatedAt', ${row}.updated_at,
    'heartbeatAt', ${row}.heartbeat_at,
    'state', case when ${row}.kind is not null and not (${isLive}) then json_build_object(
      'stateHash', ${row}.state_hash, 'messagesDigest', ${row}.messages_digest, 'stateBytes', ${row}.state_bytes,
      'loadBytes', ${row}.load_bytes, 'loadRows', ${row}.load_rows) end)::text`;
}

/** A session's row as the JSON text of a SessionMeta, nulls included. */
export function sessionJson(row: string): string {
  return `json_build_object(
    'format', ${row}.format,
    'sessionId', ${row}.id, 'agent', ${row}.agent, 'state', ${row}.state, 'metadata', ${row}.metadata,
    'owner', ${row}.owner, 'headId', ${row}.head, 'activeId', ${row}.active,
    'createdAt', ${row}.created_at, 'updatedAt', ${row}.updated_at)::text`;
}

/** Whether a caller may see a row: rows without an owner are everybody's, and a caller without one sees all. */
export function visible(row: string, owner: string): string {
  return `(${owner} is null or ${row}.owner is null or ${row}.owner = ${owner})`;
}
