export const settle = `
local _, id, session_id, epoch, heads, aborting = unpack(ARGV, 1, 6)

local found = redis.call('HMGET', key, 'v', id, '@' .. session_id)
local refused = foreign(found[1])
if refused then return refused end
local turn = unpack_turn(id, found[2])
if not leased(turn, session_id) then return { 0 } end
if turn.epoch ~= tonumber(epoch) then return { 0, meta(turn) } end
-- Only the holder of an epoch ends a row under it: this is its settle, repeated.
if not is_live(turn) then return { 1, meta(turn) } end

local outcome = turn.status == 'g' and packed_outcome(aborting) or read_outcome(ARGV, 7)
if outcome.count > 0 and outcome.first_seq ~= turn.last_seq + 1 then return { 0, meta(turn) } end
local session = unpack_session(session_id, found[3])
end_turn(session, turn, outcome, heads, turn.epoch)
flush()
keep_session_alive(session)
return { 1, meta(turn) }
`;
