export const settle = `
local id = take()
local session_id = take()
local epoch = take_number()
local heads = take()

local found = redis.call('HMGET', key, 'v', id, '@' .. session_id)
local refused = foreign(found[1])
if refused then return refused end
local turn = unpack_turn(id, found[2])
if not leased(turn, session_id) then return { 0 } end
if turn.epoch ~= epoch then return { 0, meta(turn) } end
-- Only the holder of an epoch ends a row under it: this is its settle, repeated.
if not is_live(turn) then return { 1, meta(turn) } end

local outcome = take_outcome()
if turn.status == 'g' then outcome = take_outcome() end
if outcome.count > 0 and outcome.first_seq ~= turn.last_seq + 1 then return { 0, meta(turn) } end
local session = unpack_session(session_id, found[3])
end_turn(session, turn, outcome, heads, epoch)
flush()
keep_session_alive(session)
return { 1, meta(turn) }
`;
