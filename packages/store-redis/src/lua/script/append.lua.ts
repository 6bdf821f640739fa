export const append = `
local id = take()
local session_id = take()
local epoch = take_number()
local lease_ms = take_number()
local progress = take()
local json = take()
local first_seq = take_number()
local count = take_number()

local found = redis.call('HMGET', key, 'v', id)
local refused = foreign(found[1])
if refused then return refused end
local turn = unpack_turn(id, found[2])
if not leased(turn, session_id) then return { 0 } end

-- The last texts of the log, written under the same epoch, by the writer that still has it.
local function is_repeated()
  local last = first_seq + count - 1
  if turn.epoch ~= epoch or count == 0 or first_seq < 1 or last ~= turn.last_seq or not turn.logged then return false end
  local marks = turn.marks
  if marks[#marks - 1] ~= epoch or (#marks > 2 and marks[#marks - 2] >= first_seq) then return false end
  for index = 1, count do
    if redis.call('HGET', key, event_field(turn, first_seq + index - 1)) ~= ARGV[at + index] then return false end
  end
  return true
end

if turn.epoch ~= epoch or not is_live(turn) or (count > 0 and first_seq ~= turn.last_seq + 1) then
  return { is_repeated() and 1 or 0, meta(turn) }
end
add_events(turn, ARGV, at, count)
if progress ~= '-' then
  turn.kind = progress
  set('p' .. turn.slot, json)
end
renew(turn, lease_ms)
-- Without either it is a heartbeat.
if count > 0 or progress ~= '-' then touch(turn) end
flush()
keep_alive(turn.lease_until)
return { 1, meta(turn) }
`;
