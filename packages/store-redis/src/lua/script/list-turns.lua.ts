export const listTurns = `
local session_id = take()
local from = take_number()
local limit = take_number()
local found = redis.call('HMGET', key, 'v', '@' .. session_id)
local refused = foreign(found[1])
if refused then return refused end
local session = unpack_session(session_id, found[2])
if not session or not visible(session) then return { 'found', {} } end
ahead = math.min(math.max(limit, 16), 1024)
local metas = {}
for ordinal = math.min(from, session.last_ordinal), session.low_ordinal, -1 do
  local _, _, id = read_link(session.tag, ordinal)
  if id then
    metas[#metas + 1] = meta(load_turn(id))
    if #metas == limit then break end
  end
end
return { 'found', metas }
`;
