/**
 * A turn as a record: a packed list, under its id. What is absent is `false`, because nil ends a list. Records are loaded
 * once per script and written once, when it flushes.
 *
 * `slot` begins the names of the row's other fields. `kind` is that of the state that is stored with the row: of its
 * progress while it is live, of its outcome afterwards. `marks` are pairs of an epoch and the last sequence number stored
 * under it.
 */
export const turnRecord = `
local turns = {}
local changed_turns = {}
local function unpack_turn(id, packed)
  if not packed then return nil end
  local turn = cmsgpack.unpack(packed)
  turn.id = id
  turns[id] = turn
  return turn
end
local function load_turn(id)
  return turns[id] or unpack_turn(id, redis.call('HGET', key, id))
end
local function save_turn(turn)
  if not turn.changed then
    turn.changed = true
    changed_turns[#changed_turns + 1] = turn
  end
end
local function is_live(turn)
  local status = turn.status
  return status == 'p' or status == 'g'
end
local function is_stale(turn)
  return turn.lease_until <= now and is_live(turn)
end
local function meta(turn)
  local live = is_live(turn)
  return {
    turn.id, turn.session, turn.agent, turn.parent, turn.ordinal, turn.status,
    live and turn.lease_until <= now and 1 or 0, turn.version, turn.epoch, turn.last_seq, turn.result, turn.owner,
    turn.created_at, turn.updated_at, turn.heartbeat_at, not live and turn.figures
  }
end
`;
