/** Makes a session; the caller has looked that it is free. `count` is the field 'c': how many sessions share this key. */
export const newSession = `
local function new_session(id, made)
  set('v', FORMAT)
  set('c', (made.count or 0) + 1)
  return {
    id = id, tag = made.tag, agent = made.agent, owner = owner, fingerprint = made.fingerprint, state = 'o',
    created_at = now, updated_at = now, last_ordinal = 0, low_ordinal = 1, head = false, head_ordinal = 0,
    active = false, forked = false, newest_c = 0, newest_f = 0, newest_a = 0, live = {}, waiting = 0, changes = 0,
    drops = 0
  }
end
`;
