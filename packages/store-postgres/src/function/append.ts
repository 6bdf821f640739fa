import { answer, functionSql } from "../sql/function-sql.ts";
import { turnText, visible } from "../sql/row-text.ts";

/** Locks the turn alone, so it waits for no other turn of the session. Rows: ok or refused, with the turn's row. */
export function appendFunction(schema: string): string {
  return functionSql({
    schema,
    name: "append_1",
    parameters: `p_scope text, p_owner text, p_id text, p_epoch integer, p_lease_ms bigint, o ${schema}.outcome_1`,
    declare: `t ${schema}.turn; v_now bigint := ${schema}.now_ms();`,
    body: `
  update ${schema}.turn r set last_seq = r.last_seq + o.event_count, lease_until = v_now + p_lease_ms, heartbeat_at = v_now,
      version = r.version + case when o.event_count > 0 or o.kind is not null then 1 else 0 end,
      updated_at = case when o.event_count > 0 or o.kind is not null then v_now else r.updated_at end,
      kind = coalesce(o.kind, r.kind),
      content = case when o.kind is null then r.content else o.content end,
      state_hash = case when o.kind is null then r.state_hash else o.state_hash end,
      messages_digest = case when o.kind is null then r.messages_digest else o.messages_digest end,
      state_bytes = case when o.kind is null then r.state_bytes else o.state_bytes end,
      load_bytes = case when o.kind is null then r.load_bytes else o.load_bytes end,
      load_rows = case when o.kind is null then r.load_rows else o.load_rows end
   where r.scope = p_scope and r.id = p_id and r.epoch = p_epoch and r.status in ('pending', 'aborting')
     and (o.event_count = 0 or r.last_seq = o.first_seq - 1) and ${visible("r", "p_owner")}
  returning * into t;
  if found then
    if o.event_count > 0 then
      insert into ${schema}.event_batch (scope, turn_id, last_seq, first_seq, epoch, body)
        values (p_scope, p_id, t.last_seq, o.first_seq, p_epoch, o.events);
    end if;
    ${answer("'ok'", turnText("t", "v_now"))};
    return;
  end if;
  select * into t from ${schema}.turn r where r.scope = p_scope and r.id = p_id;
  if t.id is null or not ${visible("t", "p_owner")} then
    ${answer("'refused'")};
    return;
  end if;
  -- Its own repeat: the very batch that is stored last, under this epoch.
  ${answer(
    `case when t.epoch = p_epoch and o.event_count > 0 and exists (
      select from ${schema}.event_batch b where b.scope = p_scope and b.turn_id = p_id and b.last_seq = t.last_seq
         and b.first_seq = o.first_seq and b.epoch = p_epoch and b.body = o.events) then 'ok' else 'refused' end`,
    turnText("t", "v_now"),
  )};`,
  });
}
