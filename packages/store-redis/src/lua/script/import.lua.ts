/** Writes rows into a key of their own, KEYS[1], which nobody reads, and which expires should the import never end. */
export const importTurns = `
local session_id = take()
local tag = take()
local session_owner = take_optional()
local expires_ms = take()
while at < #ARGV do
  local id = take()
  local turn = {}
  turn.id = id
  turn.session, turn.tag, turn.owner = session_id, tag, session_owner
  turn.ordinal = take_number()
  turn.slot = tag .. '.' .. turn.ordinal
  turn.agent = take()
  turn.parent = take_optional()
  turn.parent_ordinal = take_number()
  turn.trunk = take_optional()
  turn.fingerprint = take_optional()
  turn.status = take()
  turn.version = take_number()
  turn.epoch = take_number()
  turn.last_seq = take_number()
  turn.created_at = take_number()
  turn.updated_at = take_number()
  turn.result = take_optional()
  turn.resumable = take() == '1'
  turn.waiting = take() == '1'
  local kind = take()
  local figures = take()
  local json = take()
  turn.kind = kind ~= '-' and kind
  turn.figures = kind ~= '-' and figures
  turn.writer, turn.replaced, turn.lease_until, turn.heartbeat_at = false, false, 0, false
  turn.marks = {}
  for index = 1, take_number() do turn.marks[index] = take_number() end
  local count = take_number()
  turn.logged = count > 0
  for seq = 1, count do set(event_field(turn, seq), take()) end
  if turn.kind then set('s' .. turn.slot, json) end
  set_link(turn, kind)
  save_turn(turn)
end
flush()
redis.call('PEXPIRE', key, expires_ms)
return { 'staged' }
`;

/** Makes what was staged, in KEYS[3], the session, in one step; a rename unless sessions share the key. */
export const importSession = `
local session_id = take()
local tag = take()
local session_owner = take_optional()
local agent = take()
local fingerprint = take_optional()
local metadata = take_optional()
local state = take()
local head = take_optional()
local head_ordinal = take_number()
local forked = take() == '1'
local created_at = take_number()
local updated_at = take_number()
local low_ordinal = take_number()
local last_ordinal = take_number()
local newest_c, newest_f, newest_a = take_number(), take_number(), take_number()
local waiting = take_number()

local staged = KEYS[3]
local found = redis.call('HMGET', key, 'v', '@' .. session_id, 'c')
local refused = foreign(found[1])
if refused then return refused end
local ids = {}
while at < #ARGV do ids[#ids + 1] = take() end
local function taken()
  if found[2] then return true end
  for first = 1, #ids, 1000 do
    local some = redis.call('HMGET', key, unpack(ids, first, math.min(first + 999, #ids)))
    for index = 1, math.min(1000, #ids - first + 1) do if some[index] then return true end end
  end
  return false
end
if taken() then
  redis.call('UNLINK', staged)
  return { 'conflict' }
end
if #ids > 0 and redis.call('EXISTS', staged) == 0 then return { 'unstaged' } end

redis.call('ZADD', KEYS[2], string.format('%.0f', updated_at * 1000), session_id)
if #ids > 0 and not found[1] then
  redis.call('RENAME', staged, key)
  redis.call('PERSIST', key)
elseif #ids > 0 then
  local fields = redis.call('HGETALL', staged)
  for index = 1, #fields, 2 do set(fields[index], fields[index + 1]) end
  redis.call('UNLINK', staged)
end
set('v', FORMAT)
set('c', tonumber(found[3] or 0) + 1)
if metadata then set('#' .. session_id, metadata) end
local session = {}
session.tag, session.agent, session.owner, session.fingerprint = tag, agent, session_owner, fingerprint
session.created_at, session.updated_at, session.waiting, session.state = created_at, updated_at, waiting, state
session.last_ordinal, session.low_ordinal, session.head, session.head_ordinal = last_ordinal, low_ordinal, head, head_ordinal
session.active, session.forked, session.newest_c, session.newest_f = false, forked, newest_c, newest_f
session.newest_a, session.live, session.changes, session.drops = newest_a, {}, 1, 0
set_record('@' .. session_id, session)
flush()
keep_alive(now)
for index = 1, #ids do redis.pcall('PUBLISH', key .. '/' .. ids[index], session_owner and '=' .. session_owner or '-') end
return { 'imported' }
`;
