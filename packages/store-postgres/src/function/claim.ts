import { chainQuery } from "../sql/chain.ts";
import { answer, functionSql } from "../sql/function-sql.ts";
import { turnText, visible } from "../sql/row-text.ts";

/** Rows: claimed or refused with the turn's row, claimed also with its input; then the chain. None when it is unknown. */
export function claimFunction(schema: string): string {
  return functionSql({
    schema,
    name: "claim_1",
    parameters: "p_scope text, p_owner text, p_id text, p_writer text, p_lease_ms bigint, p_known text[]",
    declare: `t ${schema}.turn; v_now bigint;`,
    body: `
  select * into t from ${schema}.turn r where r.scope = p_scope and r.id = p_id for update;
  if t.id is null or not ${visible("t", "p_owner")} then
    return;
  end if;
  v_now := ${schema}.now_ms();
  if t.epoch > 1 and t.status = 'pending' and t.writer = p_writer then
    -- Its own repeat: answered again, renewing nothing.
    null;
  elsif t.status = 'pending' and t.lease_until <= v_now then
    update ${schema}.turn r set epoch = r.epoch + 1, version = r.version + 1, updated_at = v_now, heartbeat_at = v_now,
        lease_until = v_now + p_lease_ms, writer = p_writer
      where r.scope = p_scope and r.id = p_id returning * into t;
  else
    ${answer("'refused'", turnText("t", "v_now"))};
    return;
  end if;
  ${answer("'claimed'", turnText("t", "v_now"), "t.input")};
  return query ${chainQuery({ schema, scope: "p_scope", start: "p_id", known: "p_known" })};`,
  });
}
