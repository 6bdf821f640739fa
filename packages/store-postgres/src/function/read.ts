import { chainQuery } from "../sql/chain.ts";
import { functionSql } from "../sql/function-sql.ts";
import { LISTED } from "../sql/listed.ts";
import { turnText, visible } from "../sql/row-text.ts";

/**
 * By id, or the newest of a session among some statuses. Rows: the turn's row; then the chain, unless `p_known` is null.
 * None when it is unknown.
 */
export function readFunction(schema: string): string {
  return functionSql({
    schema,
    name: "read_1",
    parameters: "p_scope text, p_owner text, p_id text, p_session text, p_among text[], p_known text[]",
    volatility: "stable",
    // The chain is always read the same way; planning it anew for each list of what is known takes longer than to read it.
    setting: "plan_cache_mode = force_generic_plan",
    declare: `v_id text := p_id; v_now bigint := ${schema}.now_ms();`,
    body: `
  if v_id is null then
    select r.id into v_id from ${schema}.turn r
     where r.scope ${LISTED} = p_scope and r.session_id = p_session and r.status = any (p_among) and ${visible("r", "p_owner")}
     order by r.ord desc limit 1;
  end if;
  return query select 'turn', ${turnText("r", "v_now")}, r.id, null::text, null::text
    from ${schema}.turn r where r.scope = p_scope and r.id = v_id and ${visible("r", "p_owner")};
  if found and p_known is not null then
    return query ${chainQuery({ schema, scope: "p_scope", start: "v_id", known: "p_known" })};
  end if;`,
  });
}
