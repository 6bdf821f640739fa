/** The usual case frees the key in the background; where sessions share a key, the fields of this one go. */
export const deleteSession = `
local session_id = take()
local found = redis.call('HMGET', key, 'v', '@' .. session_id, 'c')
local refused = foreign(found[1])
if refused then return refused end
local session = unpack_session(session_id, found[2])
if not session or not visible(session) then return { 0 } end
local shared = tonumber(found[3] or 1) > 1

for ordinal = session.last_ordinal, session.low_ordinal, -1 do
  local _, _, id = read_link(session.tag, ordinal)
  if id and shared then drop_turn(load_turn(id))
  elseif id then
    local gone = {}
    gone.id, gone.owner = id, session.owner
    hint(gone)
  end
end
redis.call('ZREM', KEYS[2], session_id)
if shared then
  set('c', tonumber(found[3]) - 1)
  del('@' .. session_id)
  del('#' .. session_id)
  flush()
else
  redis.call('UNLINK', key)
  publish_hints()
end
return { 1 }
`;
