/** What the rule of retention looks at, of rows with ordinals from `first` to `last`. */
export const readTree = `
local session_id = take()
local first = take_number()
local last = take_number()
local found = redis.call('HMGET', key, 'v', '@' .. session_id)
local refused = foreign(found[1])
if refused then return refused end
local session = unpack_session(session_id, found[2])
if not session or not visible(session) then return { 'unknown' } end
local rows, size = {}, 0
first = math.max(first, session.low_ordinal)
last = math.min(last, session.last_ordinal)
ahead = math.max(math.min(last - first + 1, 1024), 1)
for ordinal = last, first, -1 do
  local _, _, id = read_link(session.tag, ordinal)
  local turn = id and load_turn(id)
  if turn then
    local row = {
      ordinal, turn.parent_ordinal, turn.status, now - turn.updated_at, turn.kind or '-', turn.waiting and 1 or 0,
      turn.logged and turn.last_seq or 0
    }
    for index = 1, #row do rows[size + index] = row[index] end
    size = size + #row
  end
end
return { 'found', session.low_ordinal, session.last_ordinal, session.head_ordinal, session.drops, rows }
`;

/**
 * Drops rows and logs that were chosen from a tree, if no turn was begun and none dropped since it was read. What else
 * may happen to a session meanwhile makes no row that could be dropped one that may not.
 */
export const dropRows = `
local session_id = take()
local last_ordinal = take_number()
local drops = take_number()
local low_ordinal = take_number()
local newest = { c = take_number(), f = take_number(), a = take_number() }
local row_count = take_number()
local found = redis.call('HMGET', key, 'v', '@' .. session_id)
local refused = foreign(found[1])
if refused then return refused end
local session = unpack_session(session_id, found[2])
if not session or not visible(session) then return { 'unknown' } end
if session.last_ordinal ~= last_ordinal or session.drops ~= drops then return { 'changed' } end

local function turn_at(ordinal)
  local _, _, id = read_link(session.tag, ordinal)
  return id and load_turn(id)
end
local dropped = 0
for _ = 1, row_count do
  local turn = turn_at(take_number())
  if turn and not is_live(turn) and turn.id ~= session.head then
    if turn.waiting then session.waiting = session.waiting - 1 end
    local name = NEWEST[turn.status]
    if session[name] == turn.ordinal then session[name] = newest[turn.status] end
    drop_turn(turn)
    dropped = dropped + 1
  end
end
while at < #ARGV do
  local turn = turn_at(take_number())
  if turn and not is_live(turn) then
    drop_events(turn)
    save_turn(turn)
    hint(turn)
  end
end
session.low_ordinal = math.max(session.low_ordinal, low_ordinal)
session.drops = session.drops + 1
session.changes = session.changes + 1
-- Not a change that lists would show: neither the time nor the index moves.
set_record('@' .. session_id, session)
flush()
return { 'dropped', dropped }
`;
