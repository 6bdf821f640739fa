/** The whole of `begin`, in the order of the port: nothing is written before the last refusal, but a stale turn closed. */
export const begin = `
local mode = take()
local id = take()
local session_id = take_optional()
local branch_of = take()
local tag = take()
local agent = take()
local create = take() == '1'
local if_active = take()
local if_forked = take()
local resumable = take()
local writer = take()
local fingerprint = take_optional()
local lease_ms = take_number()
local known = take()
local input = take()
local event_count = take_number()
local events_before = at
at = at + event_count
local is_send = mode == 's'

local found = redis.call('HMGET', key, 'v', id, is_send and '@' .. session_id or branch_of, 'c')
local refused = foreign(found[1])
if refused then return refused end

local function begun(turn, parent)
  local held, rows = false, {}
  if parent then held, rows = chain_to(parent, known) end
  return { 'begun', meta(turn), parent and meta(parent), turn.replaced, held, rows }
end

local existing = unpack_turn(id, found[2])
if existing then
  if not visible(existing) then return { 'notFound' } end
  if existing.writer == writer and existing.epoch == 1 and is_live(existing) then
    local parent = existing.parent and load_turn(existing.parent)
    if parent and parent.ordinal ~= existing.parent_ordinal then parent = nil end
    return begun(existing, parent or false)
  end
  return { existing.fingerprint == fingerprint and 'existing' or 'conflict', meta(existing) }
end

local session, parent, active
if is_send then
  session = unpack_session(session_id, found[3])
  if not session and not create then return { 'notFound' } end
  if session and not visible(session) then return { 'notFound' } end
else
  parent = unpack_turn(branch_of, found[3])
  if not parent or not visible(parent) then return { 'notFound' } end
  if session_id and parent.session ~= session_id then return { 'otherSession' } end
  session = load_session(parent.session)
end
if session and session.state == 'r' then return { 'archived' } end
if parent and not string.find(resumable, parent.status, 1, true) then return { 'notResumable', meta(parent) } end
if is_send and session and session.forked and if_forked == 'r' then return { 'forked' } end

local replaced = false
if is_send and session and session.active then
  active = load_turn(session.active)
  if is_stale(active) then
    local heads = take()
    local pending = take_outcome()
    local outcome = active.status == 'p' and pending or take_outcome()
    end_turn(session, active, outcome, heads, active.epoch + 1)
    replaced = 'c' .. active.id
  elseif if_active == 'r' then
    return { 'busy', meta(active) }
  elseif if_active == 'i' then
    mark_aborting(active)
    session.active = false
    replaced = 'i' .. active.id
  end
end

if not session then
  session = new_session(session_id, { tag = tag, agent = agent, fingerprint = false, count = tonumber(found[4] or 0) })
end
-- Only now, because closing a stale turn may have moved the head.
if is_send and session.head then parent = load_turn(session.head) end
parent = parent or false

session.last_ordinal = session.last_ordinal + 1
local turn = {
  id = id, session = session.id, tag = session.tag, ordinal = session.last_ordinal, agent = agent,
  owner = session.owner, parent = parent and parent.id, parent_ordinal = parent and parent.ordinal or 0,
  trunk = parent and (parent.resumable and parent.id or parent.trunk), fingerprint = fingerprint, status = 'p',
  version = 0, epoch = 1, last_seq = 0, marks = {}, logged = false, writer = writer, replaced = replaced,
  lease_until = now + lease_ms, heartbeat_at = now, created_at = now, updated_at = now, result = false,
  resumable = false, waiting = false, kind = false, figures = false
}
turns[id] = turn
table.insert(session.live, turn.ordinal)
if is_send and not session.active then session.active = id end
add_events(turn, events_before, event_count)
set('s' .. slot(turn), input)
set_link(turn, '-')
touch(turn)
save_session(session)
flush()
keep_session_alive(session)
return begun(turn, parent)
`;
