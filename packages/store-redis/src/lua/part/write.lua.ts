/**
 * Collects what a script writes. The index comes first: it is the only other key, so a wrong type there stops the script
 * before anything is written, and the session itself is written by one command. (The server refuses for lack of memory
 * only the first write of a script, never one after it.)
 */
export const write = `
local FIELDS_PER_CALL = 1000
local sets, set_count = {}, 0
local dels = {}
local function set(field, value)
  sets[set_count + 1] = field
  sets[set_count + 2] = value
  set_count = set_count + 2
end
local function del(field)
  dels[#dels + 1] = field
end
local function save_session(session)
  changed_session = session
end
local function touch(turn)
  turn.version = turn.version + 1
  turn.updated_at = now
  save_turn(turn)
  hint(turn)
end
local function flush()
  if changed_session then
    changed_session.updated_at = now
    changed_session.changes = changed_session.changes + 1
    redis.call('ZADD', KEYS[2], string.format('%.0f', micros), changed_session.id)
    set('@' .. changed_session.id, pack_session(changed_session))
  end
  for _, turn in ipairs(changed_turns) do
    turn.changed = nil
    set(turn.id, pack_turn(turn))
  end
  for first = 1, set_count, FIELDS_PER_CALL do
    redis.call('HSET', key, unpack(sets, first, math.min(first + FIELDS_PER_CALL - 1, set_count)))
  end
  for first = 1, #dels, FIELDS_PER_CALL do
    redis.call('HDEL', key, unpack(dels, first, math.min(first + FIELDS_PER_CALL - 1, #dels)))
  end
  changed_session, changed_turns, sets, set_count, dels = false, {}, {}, 0, {}
  publish_hints()
end
`;
