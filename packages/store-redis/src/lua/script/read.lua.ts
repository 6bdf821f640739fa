export const read = `
local by = take()
local name = take()
local among = take()
local want = take()
local known = take()

local found = redis.call('HMGET', key, 'v', by == 'turn' and name or '@' .. name)
local refused = foreign(found[1])
if refused then return refused end

-- One row per final status and those that are live, not the conversation.
local function newest(session)
  local best
  for _, status in ipairs({ 'c', 'f', 'a' }) do
    local ordinal = string.find(among, status, 1, true) and session[NEWEST[status]] or 0
    if ordinal > 0 and (not best or best.ordinal < ordinal) then
      local _, _, id = read_link(session.tag, ordinal)
      best = id and load_turn(id) or best
    end
  end
  for _, ordinal in ipairs(session.live) do
    if not best or best.ordinal < ordinal then
      local _, _, id = read_link(session.tag, ordinal)
      local live = id and load_turn(id)
      if live and string.find(among, live.status, 1, true) then best = live end
    end
  end
  return best
end

local turn
if by == 'turn' then
  turn = unpack_turn(name, found[2])
else
  local session = unpack_session(name, found[2])
  turn = session and visible(session) and newest(session)
end
if not turn or not visible(turn) then return { 'unknown' } end
if want == 'meta' then return { 'found', meta(turn) } end
local held, rows = chain_to(turn, known)
return { 'found', meta(turn), held, rows }
`;
