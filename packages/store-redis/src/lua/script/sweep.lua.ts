/** Takes from the index a session that has expired, unless it was made anew meanwhile. */
export const sweep = `
local session_id = take()
if redis.call('HEXISTS', key, '@' .. session_id) == 1 then return { 0 } end
return { redis.call('ZREM', KEYS[2], session_id) }
`;
