export const claim = `
local id = take()
local writer = take()
local lease_ms = take_number()
local known = take()

local found = redis.call('HMGET', key, 'v', id)
local refused = foreign(found[1])
if refused then return refused end
local turn = unpack_turn(id, found[2])
if not turn or not visible(turn) then return { 'notFound' } end
-- Epoch 1 is begin's: a writer that began the turn has not claimed it.
if not (turn.writer == writer and turn.epoch > 1 and is_live(turn)) then
  if turn.status ~= 'p' or not is_stale(turn) then return { 'refused', meta(turn) } end
  turn.writer, turn.replaced = writer, false
  turn.epoch = turn.epoch + 1
  turn.heartbeat_at = now
  turn.lease_until = now + lease_ms
  touch(turn)
  flush()
  keep_alive(turn.lease_until)
end
local held, rows = chain_to(turn, known)
return { 'claimed', meta(turn), redis.call('HGET', key, 's' .. turn.slot), held, rows }
`;
