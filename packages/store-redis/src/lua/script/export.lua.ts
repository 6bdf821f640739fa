/**
 * Rows with their texts, from an ordinal on, until enough fields were read for one script. `changes` tells the caller
 * whether the session stood still between its calls.
 */
export const exportTurns = `
local session_id = take()
local first = take_number()
local budget = take_number()
local found = redis.call('HMGET', key, 'v', '@' .. session_id, '#' .. session_id)
local refused = foreign(found[1])
if refused then return refused end
local session = unpack_session(session_id, found[2])
if not session or not visible(session) then return { 'unknown' } end

local function events_of(turn)
  local events = {}
  if not turn.logged then return events end
  for from = 1, turn.last_seq, 1000 do
    local fields = {}
    for seq = from, math.min(from + 999, turn.last_seq) do fields[#fields + 1] = event_field(turn, seq) end
    for _, json in ipairs(redis.call('HMGET', key, unpack(fields))) do events[#events + 1] = json end
  end
  return events
end

local rows = {}
local ordinal = math.max(first, session.low_ordinal)
while ordinal <= session.last_ordinal and budget > 0 do
  local link = redis.call('HGET', key, link_field(session.tag, ordinal))
  local turn = link and load_turn(string.match(link, '^.([^ ]*)'))
  if turn then
    local live = is_live(turn)
    local stored = redis.call('HGET', key, 's' .. turn.slot)
    rows[#rows + 1] = {
      meta(turn), live and stored, turn.fingerprint, turn.trunk, turn.resumable and 1 or 0, turn.waiting and 1 or 0,
      not live and turn.kind, not live and turn.kind and stored, turn.marks, events_of(turn)
    }
    budget = budget - 1 - turn.last_seq
  end
  ordinal = ordinal + 1
end
return {
  'found', session_meta(session, found[3]), session.fingerprint, session.forked and 1 or 0, session.changes,
  ordinal <= session.last_ordinal and ordinal or 0, rows
}
`;
