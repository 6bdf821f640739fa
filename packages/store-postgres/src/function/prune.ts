import { functionSql } from "../sql/function-sql.ts";
import { LISTED } from "../sql/listed.ts";
import { visible } from "../sql/row-text.ts";

/**
 * Rows: one with how many rows were dropped and whether there is more to do. None when the session is unknown.
 *
 * What stays: live rows, the head, rows that wait for a person and have no completed child, what the rule keeps, and every
 * row on the way from one of these to the checkpoint that its state builds on.
 */
export function pruneFunction(schema: string): string {
  return functionSql({
    schema,
    name: "prune_1",
    parameters:
      "p_scope text, p_owner text, p_id text, p_keep_last bigint, p_older_than bigint, p_events_older_than bigint, p_limit bigint",
    declare: `s ${schema}.session; v_now bigint; v_drop text[] := '{}'; v_logs text[] := '{}'; v_more boolean := false;`,
    body: `
  select * into s from ${schema}.session r where r.scope = p_scope and r.id = p_id and ${visible("r", "p_owner")} for update;
  if not found then
    return;
  end if;
  v_now := ${schema}.now_ms();
  if p_keep_last is not null or p_older_than is not null then
    with recursive t as materialized (
      select r.id, r.parent, r.ord, r.kind, r.status, r.waiting, r.updated_at from ${schema}.turn r
       where r.scope ${LISTED} = p_scope and r.session_id = p_id),
    newest (id, steps) as (
      select t.id, 1::bigint from t where p_keep_last is not null and not exists (select from t c where c.parent = t.id)
      union
      select a.id, n.steps + 1 from newest n join t on t.id = n.id join t a on a.id = t.parent where n.steps < p_keep_last),
    kept (id, parent, kind) as (
      select t.id, t.parent, t.kind from t
       where t.status in ('pending', 'aborting') or t.id = s.head
          or t.waiting and not exists (select from t c where c.parent = t.id and c.status = 'completed')
          or v_now - t.updated_at <= p_older_than
          or t.id in (select n.id from newest n)
      union
      select a.id, a.parent, a.kind from kept k join t a on a.id = k.parent where k.kind is distinct from 'full'),
    droppable as (
      select t.id, row_number() over (order by t.ord) as place from t where not exists (select from kept k where k.id = t.id)
       order by t.ord limit p_limit + 1)
    select coalesce(array_agg(d.id) filter (where d.place <= p_limit), '{}'), count(*) > p_limit into v_drop, v_more from droppable d;
    delete from ${schema}.event_batch b where b.scope = p_scope and b.turn_id = any (v_drop);
    delete from ${schema}.turn r where r.scope = p_scope and r.id = any (v_drop);
  end if;
  if p_events_older_than is not null and not v_more then
    with logs as (
      select r.id, row_number() over (order by r.ord) as place from ${schema}.turn r
       where r.scope ${LISTED} = p_scope and r.session_id = p_id and r.status not in ('pending', 'aborting')
         and v_now - r.updated_at > p_events_older_than
         and exists (select from ${schema}.event_batch b where b.scope = p_scope and b.turn_id = r.id)
       order by r.ord limit p_limit - cardinality(v_drop) + 1)
    select coalesce(array_agg(l.id) filter (where l.place <= p_limit - cardinality(v_drop)), '{}'),
           count(*) > p_limit - cardinality(v_drop) into v_logs, v_more from logs l;
    delete from ${schema}.event_batch b where b.scope = p_scope and b.turn_id = any (v_logs);
  end if;
  return query select 'pruned', cardinality(v_drop)::text, v_more::text, null::text, null::text;`,
  });
}
