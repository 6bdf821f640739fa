/**
 * A turn as a record: packed by position, under its id. What is absent is `false`, because nil ends a list. Records are
 * loaded once per script and written once, when it flushes.
 *
 * `kind` is that of the state that is stored with the row: of its progress while it is live, of its outcome afterwards.
 * `marks` are pairs of an epoch and the last sequence number stored under it.
 */
export const turnRecord = `
local turns = {}
local changed_turns = {}
local function unpack_turn(id, packed)
  if not packed then return nil end
  local f = cmsgpack.unpack(packed)
  local turn = {
    id = id, session = f[1], tag = f[2], ordinal = f[3], agent = f[4], owner = f[5], parent = f[6],
    parent_ordinal = f[7], trunk = f[8], fingerprint = f[9], status = f[10], version = f[11], epoch = f[12],
    last_seq = f[13], marks = f[14], logged = f[15], writer = f[16], replaced = f[17], lease_until = f[18],
    heartbeat_at = f[19], created_at = f[20], updated_at = f[21], result = f[22], resumable = f[23], waiting = f[24],
    kind = f[25], figures = f[26]
  }
  turns[id] = turn
  return turn
end
local function pack_turn(t)
  return cmsgpack.pack({
    t.session, t.tag, t.ordinal, t.agent, t.owner, t.parent,
    t.parent_ordinal, t.trunk, t.fingerprint, t.status, t.version, t.epoch,
    t.last_seq, t.marks, t.logged, t.writer, t.replaced, t.lease_until,
    t.heartbeat_at, t.created_at, t.updated_at, t.result, t.resumable, t.waiting,
    t.kind, t.figures
  })
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
local function slot(turn)
  return turn.tag .. '.' .. turn.ordinal
end
local function is_live(turn)
  return turn.status == 'p' or turn.status == 'g'
end
local function is_stale(turn)
  return is_live(turn) and turn.lease_until <= now
end
local function meta(turn)
  return {
    turn.id, turn.session, turn.agent, turn.parent, turn.ordinal, turn.status, is_stale(turn) and 1 or 0,
    turn.version, turn.epoch, turn.last_seq, turn.result, turn.owner, turn.created_at, turn.updated_at,
    turn.heartbeat_at, not is_live(turn) and turn.figures
  }
end
`;
