import { PLACE } from "../record-fields.ts";

/**
 * A session as a record, under '@' and its id. `tag` begins the names of all fields that belong to it. `live` lists the
 * ordinals of live turns, `newest_*` the highest ordinal per final status, 0 for none. `changes` counts writes of the
 * record and `drops` those that removed rows: who read a session in several calls can tell that it stood still.
 */
export const sessionRecord = `
local NEWEST = { c = ${PLACE.newest_c}, f = ${PLACE.newest_f}, a = ${PLACE.newest_a} }
local function unpack_session(id, packed)
  if not packed then return nil end
  local session = cmsgpack.unpack(packed)
  session.id = id
  return session
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
