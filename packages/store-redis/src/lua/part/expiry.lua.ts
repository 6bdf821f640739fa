/**
 * Lets the key, and with it everything of the session, live for `ttlMs` after its last change, and after the end of its
 * last lease: a live turn never expires. Times are only ever moved later, because sessions may share a key.
 *
 * @param ttlMs 0 keeps sessions for ever.
 */
export function expiry(ttlMs: number): string {
  if (ttlMs === 0) return "local function keep_alive() end\nlocal function keep_session_alive() end\n";
  return `
local function keep_alive(lease_until)
  local wanted = math.max(lease_until - now, 0) + ${ttlMs}
  local left = redis.call('PTTL', key)
  if left < wanted then redis.call('PEXPIRE', key, string.format('%.0f', wanted)) end
end
local function keep_session_alive(session)
  local last = now
  for _, ordinal in ipairs(session.live) do
    local link = redis.call('HGET', key, 'l' .. session.tag .. '.' .. ordinal)
    local turn = link and load_turn(string.match(link, '^.([^ ]*)'))
    if turn then last = math.max(last, turn.lease_until) end
  end
  keep_alive(last)
end
`;
}
