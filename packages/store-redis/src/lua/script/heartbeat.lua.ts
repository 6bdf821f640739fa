/** Leases of several sessions whose keys share a slot, each by itself. */
export const heartbeat = `
local lease_ms = take_number()
local answers = {}
for index = 1, #KEYS do
  key = KEYS[index]
  turns = {}
  owner = take_optional()
  local id, session_id, epoch = take(), take(), take_number()
  local found = redis.call('HMGET', key, 'v', id)
  local refused = foreign(found[1])
  if refused then return refused end
  local turn = unpack_turn(id, found[2])
  if not leased(turn, session_id) then
    answers[index] = { 0 }
  else
    local ok = turn.epoch == epoch and is_live(turn)
    if ok then
      renew(turn, lease_ms)
      flush()
      keep_alive(turn.lease_until)
    end
    answers[index] = { ok and 1 or 0, meta(turn) }
  end
end
return { 'beaten', answers }
`;
