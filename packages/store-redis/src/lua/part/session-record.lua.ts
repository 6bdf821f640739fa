/**
 * A session as a record, under '@' and its id. `tag` begins the names of all fields that belong to it. `live` lists the
 * ordinals of live turns, `newest_*` the highest ordinal per final status, 0 for none. `changes` counts writes of the
 * record and `drops` those that removed rows: who read a session in several calls can tell that it stood still.
 */
export const sessionRecord = `
local changed_session = false
local function unpack_session(id, packed)
  if not packed then return nil end
  local f = cmsgpack.unpack(packed)
  return {
    id = id, tag = f[1], agent = f[2], owner = f[3], fingerprint = f[4], state = f[5], created_at = f[6],
    updated_at = f[7], last_ordinal = f[8], low_ordinal = f[9], head = f[10], head_ordinal = f[11], active = f[12],
    forked = f[13], newest_c = f[14], newest_f = f[15], newest_a = f[16], live = f[17], waiting = f[18],
    changes = f[19], drops = f[20]
  }
end
local function pack_session(s)
  return cmsgpack.pack({
    s.tag, s.agent, s.owner, s.fingerprint, s.state, s.created_at,
    s.updated_at, s.last_ordinal, s.low_ordinal, s.head, s.head_ordinal, s.active,
    s.forked, s.newest_c, s.newest_f, s.newest_a, s.live, s.waiting,
    s.changes, s.drops
  })
end
local function load_session(id)
  return unpack_session(id, redis.call('HGET', key, '@' .. id))
end
local function session_meta(session, metadata)
  return {
    session.id, session.agent, session.state, metadata, session.owner, session.head, session.active,
    session.created_at, session.updated_at
  }
end
`;
