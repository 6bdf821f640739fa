/** Makes a session; the caller has looked that it is free. `count` is the field 'c': how many sessions share this key. */
export const newSession = `
local function new_session(id, tag, agent, fingerprint, count)
  set('v', FORMAT)
  set('c', (tonumber(count) or 0) + 1)
  local session = {}
  session.tag, session.agent, session.owner, session.fingerprint = tag, agent, owner, fingerprint
  session.created_at, session.updated_at, session.waiting, session.state = now, now, 0, 'o'
  session.last_ordinal, session.low_ordinal, session.head, session.head_ordinal = 0, 1, false, 0
  session.active, session.forked, session.newest_c, session.newest_f = false, false, 0, 0
  session.newest_a, session.live, session.changes, session.drops = 0, {}, 0, 0
  session.id = id
  return session
end
`;
