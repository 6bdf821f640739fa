/** The whole of `begin`, in the order of the port: nothing is written before the last refusal, but a stale turn closed. */
export const begin = `
local _, mode, id, session_text, branch_of, tag, agent, create, if_active, if_forked, resumable, writer,
  fingerprint_text, lease_ms, known, input, lost_heads, lost_pending, lost_aborting, event_count = unpack(ARGV, 1, 20)
local session_id, fingerprint = optional(session_text), optional(fingerprint_text)
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
  if not session and create == '0' then return { 'notFound' } end
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
    local outcome = packed_outcome(active.status == 'p' and lost_pending or lost_aborting)
    end_turn(session, active, outcome, lost_heads, active.epoch + 1)
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
  session = new_session(session_id, tag, agent, false, found[4])
end
-- Only now, because closing a stale turn may have moved the head.
if is_send and session.head then parent = load_turn(session.head) end
parent = parent or false

local ordinal = session.last_ordinal + 1
session.last_ordinal = ordinal
local turn = { session.tag, agent, session.owner, fingerprint, now, now, false }
turn.session, turn.slot, turn.ordinal = session.id, session.tag .. '.' .. ordinal, ordinal
turn.parent, turn.parent_ordinal = parent and parent.id, parent and parent.ordinal or 0
turn.trunk = parent and (parent.resumable and parent.id or parent.trunk)
turn.status, turn.version, turn.epoch, turn.last_seq, turn.marks, turn.logged = 'p', 0, 1, 0, {}, false
turn.writer, turn.replaced, turn.lease_until, turn.heartbeat_at = writer, replaced, now + lease_ms, now
turn.result, turn.resumable, turn.kind, turn.figures = false, false, false, false
turn.id = id
turns[id] = turn
table.insert(session.live, ordinal)
if is_send and not session.active then session.active = id end
add_events(turn, ARGV, 20, tonumber(event_count))
set('s' .. turn.slot, input)
set_link(turn, '-')
touch(turn)
changed_session = session
flush()
keep_session_alive(session)
return begun(turn, parent)
`;
