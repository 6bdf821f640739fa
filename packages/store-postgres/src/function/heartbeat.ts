import { functionSql } from "../sql/function-sql.ts";
import { turnText, visible } from "../sql/row-text.ts";

/**
 * Renews many leases. In the order of ids, as whoever else locks several turns does, so that two such calls never wait for
 * each other. Rows: ok or refused, the turn's row, and which of the leases it is, from 1.
 */
export function heartbeatFunction(schema: string): string {
  return functionSql({
    schema,
    name: "heartbeat_1",
    parameters: "p_scopes text[], p_owners text[], p_ids text[], p_epochs integer[], p_lease_ms bigint",
    declare: `l record; t ${schema}.turn; v_now bigint;`,
    body: `
  for l in
    select * from unnest(p_scopes, p_owners, p_ids, p_epochs) with ordinality as u (scope, owner, id, epoch, place)
     order by u.scope collate "C", u.id collate "C"
  loop
    v_now := ${schema}.now_ms();
    update ${schema}.turn r set lease_until = v_now + p_lease_ms, heartbeat_at = v_now
     where r.scope = l.scope and r.id = l.id and r.epoch = l.epoch and r.status in ('pending', 'aborting')
       and ${visible("r", "l.owner")}
    returning * into t;
    if found then
      return query select 'ok', ${turnText("t", "v_now")}, l.place::text, null::text, null::text;
    else
      return query select 'refused', ${turnText("r", "v_now")}, l.place::text, null::text, null::text
        from ${schema}.turn r where r.scope = l.scope and r.id = l.id and ${visible("r", "l.owner")};
    end if;
  end loop;`,
  });
}
