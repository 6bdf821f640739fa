import { chainQuery } from "../sql/chain.ts";
import { finishTurn, finishVariables } from "../sql/finish.ts";
import { answer, functionSql } from "../sql/function-sql.ts";
import { turnText, visible } from "../sql/row-text.ts";

/**
 * One transaction and not one statement: a statement that waited for the session's lock would see the new head and not
 * the head's row. The clock is read after the lock, or what waited would be dated before what it waited for.
 *
 * Rows: the answer with the turn's row, its parent's, and the ids of turns that were closed or interrupted; then the chain.
 */
export function beginFunction(schema: string): string {
  const chain = chainQuery({ schema, scope: "p_scope", start: "p.id", known: "p_known" });
  return functionSql({
    schema,
    name: "begin_1",
    parameters: `p_scope text, p_owner text, p_id text, p_agent text, p_session text, p_branch text, p_create boolean,
  p_if_active text, p_if_forked text, p_resumable text[], p_writer text, p_fingerprint text, p_input text, p_lease_ms bigint,
  p_known text[], p_event_count integer, p_events text,
  p_lost_pending ${schema}.outcome_1, p_lost_aborting ${schema}.outcome_1, p_heads text[]`,
    declare: `${finishVariables(schema)} n ${schema}.turn; p ${schema}.turn; v_session text := p_session; v_closed text; v_interrupted text;`,
    body: `
  if p_branch is not null then
    select r.session_id into v_session from ${schema}.turn r where r.scope = p_scope and r.id = p_branch;
  end if;
  -- The session first, always: whoever locks a turn before it deadlocks with this.
  select * into s from ${schema}.session r where r.scope = p_scope and r.id = v_session for update;
  if s.id is null and p_branch is null and p_create
     and not exists (select from ${schema}.turn r where r.scope = p_scope and r.id = p_id) then
    v_now := ${schema}.now_ms();
    insert into ${schema}.session (scope, id, owner, agent, created_at, updated_at)
      values (p_scope, v_session, p_owner, p_agent, v_now, v_now) on conflict do nothing;
    select * into s from ${schema}.session r where r.scope = p_scope and r.id = v_session for update;
  end if;
  v_now := ${schema}.now_ms();

  select * into n from ${schema}.turn r where r.scope = p_scope and r.id = p_id;
  if n.id is not null then
    if not ${visible("n", "p_owner")} then
      ${answer("'notFound'")};
    elsif n.writer = p_writer and n.epoch = 1 and n.status in ('pending', 'aborting') then
      select * into p from ${schema}.turn r where r.scope = p_scope and r.id = n.parent;
      ${answer("'begun'", turnText("n", "v_now"), `case when p.id is not null then ${turnText("p", "v_now")} end`, "n.closed", "n.interrupted")};
      return query ${chain};
    else
      ${answer("case when n.fingerprint is not distinct from p_fingerprint then 'existing' else 'conflict' end", turnText("n", "v_now"))};
    end if;
    return;
  end if;

  if s.id is null or not ${visible("s", "p_owner")} then
    ${answer("'notFound'")};
    return;
  end if;
  if p_branch is not null then
    select * into p from ${schema}.turn r where r.scope = p_scope and r.id = p_branch;
    if p.id is null then
      ${answer("'notFound'")};
      return;
    elsif p_session <> s.id then
      ${answer("'otherSession'")};
      return;
    end if;
  end if;
  if s.state <> 'active' then
    ${answer("'archived'")};
    return;
  end if;

  if p_branch is not null then
    if p.status <> all (p_resumable) then
      ${answer("'notResumable'", turnText("p", "v_now"))};
      return;
    end if;
  else
    if p_if_forked = 'reject' and s.forked then
      ${answer("'forked'")};
      return;
    end if;
    if s.active is not null then
      select * into t from ${schema}.turn r where r.scope = p_scope and r.id = s.active for update;
      if t.lease_until <= v_now then
        v_closed := t.id;
        v_epoch := t.epoch + 1;
        o := case t.status when 'aborting' then p_lost_aborting else p_lost_pending end;
${finishTurn(schema)}
      elsif p_if_active = 'reject' then
        ${answer("'busy'", turnText("t", "v_now"))};
        return;
      elsif p_if_active = 'interrupt' then
        v_interrupted := t.id;
        update ${schema}.turn r set status = 'aborting', version = r.version + 1, updated_at = v_now
         where r.scope = p_scope and r.id = t.id and r.status = 'pending';
        s.active := null;
      end if;
    end if;
    if s.head is not null then
      select * into p from ${schema}.turn r where r.scope = p_scope and r.id = s.head;
    end if;
    s.active := coalesce(s.active, p_id);
  end if;

  insert into ${schema}.turn (scope, id, session_id, ord, last_seq, lease_until, heartbeat_at, created_at, updated_at, agent,
      owner, parent, trunk, closed, interrupted, writer, fingerprint, input)
    values (p_scope, p_id, s.id, s.ord + 1, p_event_count, v_now + p_lease_ms, v_now, v_now, v_now, p_agent,
      s.owner, p.id, case when p.resumable then p.id else p.trunk end, v_closed, v_interrupted, p_writer, p_fingerprint, p_input)
    returning * into n;
  if p_event_count > 0 then
    insert into ${schema}.event_batch (scope, turn_id, last_seq, first_seq, epoch, body)
      values (p_scope, p_id, p_event_count, 1, 1, p_events);
  end if;
  update ${schema}.session r set ord = n.ord, active = s.active, updated_at = v_now where r.scope = p_scope and r.id = s.id;

  ${answer("'begun'", turnText("n", "v_now"), `case when p.id is not null then ${turnText("p", "v_now")} end`, "v_closed", "v_interrupted")};
  if p.id = any (p_known) then
    ${answer("'known'", "p.id")};
  elsif p.id is not null then
    return query ${chain};
  end if;`,
  });
}
