/** Answers where the page starts, and the marks that tell the epoch of each event. */
export const readEvents = `
local id = take()
local after_epoch = take_number()
local after_seq = take_number()
local limit = take_number()

local found = redis.call('HMGET', key, 'v', id)
local refused = foreign(found[1])
if refused then return refused end
local turn = unpack_turn(id, found[2])
if not turn or not visible(turn) then return { 'unknown' } end
if not turn.logged then return { 'found', meta(turn), 0, {}, {} } end

-- Epochs only grow along the log. What a reader holds beyond this was sent by a worker that never stored it.
local shared = 0
for index = 1, #turn.marks, 2 do
  if turn.marks[index] <= after_epoch then shared = turn.marks[index + 1] end
end
local start = math.min(after_seq, shared)
local last = math.min(start + limit, turn.last_seq)
local events, count = {}, 0
for first = start + 1, last, 1000 do
  local fields = {}
  for seq = first, math.min(first + 999, last) do fields[#fields + 1] = event_field(turn, seq) end
  for _, json in ipairs(redis.call('HMGET', key, unpack(fields))) do
    count = count + 1
    events[count] = json
  end
end
return { 'found', meta(turn), start, turn.marks, events }
`;
