import { finishTurn, finishVariables } from "../sql/finish.ts";
import { answer, functionSql } from "../sql/function-sql.ts";
import { turnText, visible } from "../sql/row-text.ts";

/** Rows: ok or refused, with the turn's row where there is a row. */
export function settleFunction(schema: string): string {
  return functionSql({
    schema,
    name: "settle_1",
    parameters: `p_scope text, p_owner text, p_session text, p_id text, p_epoch integer,
  p_pending ${schema}.outcome_1, p_aborting ${schema}.outcome_1, p_heads text[]`,
    declare: finishVariables(schema),
    body: `
  select * into s from ${schema}.session r where r.scope = p_scope and r.id = p_session for update;
  select * into t from ${schema}.turn r where r.scope = p_scope and r.id = p_id for update;
  v_now := ${schema}.now_ms();
  if s.id is null or t.session_id is distinct from s.id or not ${visible("t", "p_owner")} then
    ${answer("'refused'")};
    return;
  end if;
  if t.epoch <> p_epoch then
    ${answer("'refused'", turnText("t", "v_now"))};
    return;
  end if;
  if t.status not in ('pending', 'aborting') then
    -- A repeat: what this epoch wrote is there, and stays.
    ${answer("'ok'", turnText("t", "v_now"))};
    return;
  end if;
  o := case t.status when 'aborting' then p_aborting else p_pending end;
  if o.event_count > 0 and o.first_seq <> t.last_seq + 1 then
    ${answer("'refused'", turnText("t", "v_now"))};
    return;
  end if;
  v_epoch := t.epoch;
${finishTurn(schema)}
  ${answer("'ok'", turnText("t", "v_now"))};`,
  });
}
