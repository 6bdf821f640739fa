import { answer, functionSql } from "../sql/function-sql.ts";
import { sessionJson, visible } from "../sql/row-text.ts";

/** Rows: created or existing with the session's JSON, or conflict. */
export function createSessionFunction(schema: string): string {
  return functionSql({
    schema,
    name: "create_session_1",
    parameters: "p_scope text, p_owner text, p_id text, p_agent text, p_metadata text, p_fingerprint text",
    declare: `s ${schema}.session; v_now bigint := ${schema}.now_ms();`,
    body: `
  insert into ${schema}.session (scope, id, owner, agent, metadata, fingerprint, created_at, updated_at)
    values (p_scope, p_id, p_owner, p_agent, p_metadata, p_fingerprint, v_now, v_now) on conflict do nothing returning * into s;
  if s.id is not null then
    ${answer("'created'", sessionJson("s"))};
    return;
  end if;
  select * into s from ${schema}.session r where r.scope = p_scope and r.id = p_id;
  if ${visible("s", "p_owner")} and s.fingerprint is not distinct from p_fingerprint then
    ${answer("'existing'", sessionJson("s"))};
  else
    ${answer("'conflict'")};
  end if;`,
  });
}
