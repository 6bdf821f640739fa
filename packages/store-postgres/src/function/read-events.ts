import { functionSql } from "../sql/function-sql.ts";
import { turnText, visible } from "../sql/row-text.ts";

/**
 * Rows: the turn's row and the position that the page starts after; then the batches that hold any of it, each with its
 * first number, epoch and body. None when the turn is unknown.
 *
 * A reader may hold events that were sent and never stored: it goes on after the smaller of its position and the last
 * stored event of its epoch or one before.
 */
export function readEventsFunction(schema: string): string {
  return functionSql({
    schema,
    name: "read_events_1",
    parameters: "p_scope text, p_owner text, p_id text, p_epoch integer, p_seq bigint, p_limit bigint",
    volatility: "stable",
    declare: `v_after bigint; v_now bigint := ${schema}.now_ms();`,
    body: `
  select least(p_seq, coalesce((
      select b.last_seq from ${schema}.event_batch b
       where b.scope = p_scope and b.turn_id = p_id and b.epoch <= p_epoch order by b.last_seq desc limit 1), 0)) into v_after;
  return query select 'turn', ${turnText("r", "v_now")}, v_after::text, null::text, null::text
    from ${schema}.turn r where r.scope = p_scope and r.id = p_id and ${visible("r", "p_owner")};
  if found then
    return query select 'batch', b.first_seq::text, b.epoch::text, b.body, null::text
      from ${schema}.event_batch b
     where b.scope = p_scope and b.turn_id = p_id and b.last_seq > v_after and b.last_seq <= coalesce((
       -- The batch that the page ends in: numbers have no gaps.
       select m.last_seq from ${schema}.event_batch m
        where m.scope = p_scope and m.turn_id = p_id and m.last_seq >= v_after + p_limit order by m.last_seq limit 1),
       9223372036854775807)
     order by b.last_seq;
  end if;`,
  });
}
