import { functionSql } from "../sql/function-sql.ts";
import { LISTED } from "../sql/listed.ts";
import { visible } from "../sql/row-text.ts";

/** Rows: the ids of the turns that went, after one that says that the session did. None when it is unknown. */
export function deleteSessionFunction(schema: string): string {
  return functionSql({
    schema,
    name: "delete_session_1",
    parameters: "p_scope text, p_owner text, p_id text",
    declare: "v_ids text[];",
    body: `
  perform from ${schema}.session r where r.scope = p_scope and r.id = p_id and ${visible("r", "p_owner")} for update;
  if not found then
    return;
  end if;
  -- Locked one by one in the order of heartbeats, and before their events go: an append that runs is waited for.
  select array_agg(l.id) into v_ids from (
    select r.id from ${schema}.turn r where r.scope ${LISTED} = p_scope and r.session_id = p_id order by r.id for update) l;
  delete from ${schema}.event_batch b where b.scope = p_scope and b.turn_id = any (v_ids);
  delete from ${schema}.turn r where r.scope = p_scope and r.id = any (v_ids);
  delete from ${schema}.session r where r.scope = p_scope and r.id = p_id;
  return query select 'deleted', null::text, null::text, null::text, null::text;
  return query select 'turn', u.id, null::text, null::text, null::text from unnest(v_ids) u (id);`,
  });
}
