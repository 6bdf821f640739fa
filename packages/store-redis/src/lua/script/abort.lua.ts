export const abort = `
local id = take()
local heads = take()
local stale_outcome = take()

local found = redis.call('HMGET', key, 'v', id)
local refused = foreign(found[1])
if refused then return refused end
local turn = unpack_turn(id, found[2])
if not turn or not visible(turn) then return { 'unknown' } end
local before = meta(turn)
-- Without a worker there is nobody to wait for.
if is_stale(turn) then
  local session = load_session(turn.session)
  end_turn(session, turn, packed_outcome(stale_outcome), heads, turn.epoch + 1)
  flush()
  keep_session_alive(session)
elseif turn.status == 'p' then
  mark_aborting(turn)
  flush()
end
return { 'asked', before, meta(turn) }
`;
