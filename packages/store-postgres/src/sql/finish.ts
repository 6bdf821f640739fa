/**
 * Statements that end a turn. Expects the variables `s` (its session, locked), `t` (its row, locked), `o` (the outcome),
 * `v_epoch`, `v_now` and `p_heads`; leaves `t` and `s` as they are now.
 *
 * The input goes: only `claim` gives it back, and a final row is never claimed.
 */
export function finishTurn(schema: string): string {
  return `
  v_seq := t.last_seq + coalesce(o.event_count, 0);
  if o.event_count > 0 then
    insert into ${schema}.event_batch (scope, turn_id, last_seq, first_seq, epoch, body)
      values (t.scope, t.id, v_seq, t.last_seq + 1, v_epoch, o.events);
  end if;
  v_head := o.status = any (p_heads);
  update ${schema}.turn r set status = o.status, result = o.result, epoch = v_epoch, version = r.version + 1,
      updated_at = v_now, heartbeat_at = null, last_seq = v_seq, waiting = o.waiting, resumable = v_head,
      input = null, writer = null, kind = o.kind, content = o.content, state_hash = o.state_hash,
      messages_digest = o.messages_digest, state_bytes = o.state_bytes, load_bytes = o.load_bytes, load_rows = o.load_rows
    where r.scope = t.scope and r.id = t.id returning * into t;
  if v_head then
    s.forked := s.forked or t.trunk is distinct from s.head;
    if s.head is null or s.head_ord < t.ord then
      s.head := t.id;
      s.head_ord := t.ord;
    end if;
  end if;
  if s.active = t.id then
    s.active := null;
  end if;
  s.updated_at := v_now;
  update ${schema}.session r set forked = s.forked, head = s.head, head_ord = s.head_ord, active = s.active, updated_at = v_now
    where r.scope = s.scope and r.id = s.id;`;
}

/** What `finishTurn` declares. */
export function finishVariables(schema: string): string {
  return `s ${schema}.session; t ${schema}.turn; o ${schema}.outcome_1; v_now bigint; v_epoch integer; v_seq bigint; v_head boolean;`;
}
