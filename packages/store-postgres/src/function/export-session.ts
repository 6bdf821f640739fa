import { functionSql } from "../sql/function-sql.ts";
import { LISTED } from "../sql/listed.ts";
import { sessionJson, turnText, visible } from "../sql/row-text.ts";

/**
 * Rows: the session's JSON, its fingerprint and whether it is forked; each turn's row, input, content and the JSON of what
 * else is kept of it; each batch with its turn's id, first number, epoch and body. None when it is unknown. Stable, so all
 * of it is of one moment.
 */
export function exportSessionFunction(schema: string): string {
  return functionSql({
    schema,
    name: "export_session_1",
    parameters: "p_scope text, p_owner text, p_id text",
    volatility: "stable",
    declare: `v_now bigint := ${schema}.now_ms();`,
    body: `
  return query select 'session', ${sessionJson("r")}, r.fingerprint, r.forked::text, null::text
    from ${schema}.session r where r.scope = p_scope and r.id = p_id and ${visible("r", "p_owner")};
  if not found then
    return;
  end if;
  return query select 'turn', ${turnText("r", "v_now")}, r.input, r.content, json_build_object(
      'fingerprint', r.fingerprint, 'trunkId', r.trunk, 'resumable', r.resumable, 'kind', r.kind,
      'waiting', r.waiting and not exists (
        select from ${schema}.turn c
         where c.scope ${LISTED} = p_scope and c.session_id = p_id and c.parent = r.id and c.status = 'completed'))::text
    from ${schema}.turn r where r.scope ${LISTED} = p_scope and r.session_id = p_id order by r.ord;
  return query select 'batch', b.turn_id, b.first_seq::text, b.epoch::text, b.body
    from ${schema}.turn r join ${schema}.event_batch b on b.scope = r.scope and b.turn_id = r.id
   where r.scope ${LISTED} = p_scope and r.session_id = p_id order by r.ord, b.last_seq;`,
  });
}
