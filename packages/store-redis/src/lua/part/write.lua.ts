/**
 * Collects what a script writes. The index comes first: it is the only other key, so a wrong type there stops the script
 * before anything is written, and the session itself is written by one command. (The server refuses for lack of memory
 * only the first write of a script, never one after it.)
 */
export const write = `
local sets, set_count = {}, 0
local dels
local changed_session = false
local function set(field, value)
  sets[set_count + 1] = field
  set_count = set_count + 2
  sets[set_count] = value
end
local function del(field)
  dels = dels or {}
  dels[#dels + 1] = field
end
local function touch(turn)
  turn.version = turn.version + 1
  turn.updated_at = now
  save_turn(turn)
  hint(turn)
end
local function set_record(field, record)
  local id, hinted = record.id, record.hinted
  record.id, record.changed, record.hinted = nil, nil, nil
  set(field, cmsgpack.pack(record))
  record.id, record.hinted = id, hinted
end
local function in_parts(command, fields, count)
  for first = 1, count, 1000 do redis.call(command, key, unpack(fields, first, math.min(first + 999, count))) end
end
local function flush()
  local session = changed_session
  if session then
    session.updated_at = now
    session.changes = session.changes + 1
    redis.call('ZADD', KEYS[2], score, session.id)
    set_record('@' .. session.id, session)
    changed_session = false
  end
  for _, turn in ipairs(changed_turns) do set_record(turn.id, turn) end
  if set_count > 1000 then in_parts('HSET', sets, set_count)
  elseif set_count > 0 then redis.call('HSET', key, unpack(sets)) end
  if dels then in_parts('HDEL', dels, #dels) end
  changed_turns, sets, set_count, dels = {}, {}, 0, nil
  publish_hints()
end
`;
