/** Makes a session that has no turn yet. */
export const createSession = `
local session_id = take()
local tag = take()
local agent = take()
local fingerprint = take_optional()
local metadata = take_optional()

local found = redis.call('HMGET', key, 'v', '@' .. session_id, '#' .. session_id, 'c')
local refused = foreign(found[1])
if refused then return refused end
local session = unpack_session(session_id, found[2])
if session then
  if not visible(session) or session.fingerprint ~= fingerprint then return { 'conflict' } end
  return { 'existing', session_meta(session, found[3]) }
end
session = new_session(session_id, tag, agent, fingerprint, found[4])
if metadata then set('#' .. session_id, metadata) end
changed_session = session
flush()
keep_session_alive(session)
return { 'created', session_meta(session, metadata) }
`;

export const getSession = `
local session_id = take()
local found = redis.call('HMGET', key, 'v', '@' .. session_id, '#' .. session_id)
local refused = foreign(found[1])
if refused then return refused end
local session = unpack_session(session_id, found[2])
if not session then return { 'unknown' } end
if not visible(session) then return { 'hidden' } end
return { 'found', session_meta(session, found[3]) }
`;

export const updateSession = `
local session_id = take()
local state = take_optional()
local metadata = take_optional()
local found = redis.call('HMGET', key, 'v', '@' .. session_id, '#' .. session_id)
local refused = foreign(found[1])
if refused then return refused end
local session = unpack_session(session_id, found[2])
if not session or not visible(session) then return { 'unknown' } end
if state then session.state = state end
if metadata then set('#' .. session_id, metadata) end
changed_session = session
flush()
keep_session_alive(session)
return { 'found', session_meta(session, metadata or found[3]) }
`;
