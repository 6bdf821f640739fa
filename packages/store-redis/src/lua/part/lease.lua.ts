/** A lease that ran out holds until somebody takes the turn: the epoch decides, not the clock. */
export const lease = `
local function renew(turn, lease_ms)
  if is_stale(turn) then hint(turn) end
  turn.lease_until = now + lease_ms
  turn.heartbeat_at = now
  save_turn(turn)
end
local function leased(turn, session)
  return turn and turn.session == session and visible(turn)
end
`;
