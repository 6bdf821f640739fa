import { finishTurn, finishVariables } from "../sql/finish.ts";
import { answer, functionSql } from "../sql/function-sql.ts";
import { turnText, visible } from "../sql/row-text.ts";

/** Rows: one with the turn's row before and after, or none when it is unknown. */
export function abortFunction(schema: string): string {
  return functionSql({
    schema,
    name: "abort_1",
    parameters: `p_scope text, p_owner text, p_id text, p_outcome ${schema}.outcome_1, p_heads text[]`,
    declare: `${finishVariables(schema)} v_session text; v_before text;`,
    body: `
  select r.session_id into v_session from ${schema}.turn r where r.scope = p_scope and r.id = p_id and ${visible("r", "p_owner")};
  if not found then
    return;
  end if;
  select * into s from ${schema}.session r where r.scope = p_scope and r.id = v_session for update;
  select * into t from ${schema}.turn r where r.scope = p_scope and r.id = p_id for update;
  if t.id is null then
    return;
  end if;
  v_now := ${schema}.now_ms();
  v_before := ${turnText("t", "v_now")};
  if t.status in ('pending', 'aborting') and t.lease_until <= v_now then
    v_epoch := t.epoch + 1;
    o := p_outcome;
${finishTurn(schema)}
  elsif t.status = 'pending' then
    update ${schema}.turn r set status = 'aborting', version = r.version + 1, updated_at = v_now
     where r.scope = p_scope and r.id = p_id returning * into t;
  end if;
  ${answer("'asked'", "v_before", turnText("t", "v_now"))};`,
  });
}
