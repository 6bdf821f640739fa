/** Collects every field of a row for deletion. */
export const dropTurn = `
local function drop_events(turn)
  if not turn.logged then return end
  local prefix = 'e' .. turn.slot .. '.'
  for seq = 1, turn.last_seq do del(prefix .. seq) end
  turn.logged = false
end
local function drop_turn(turn)
  drop_events(turn)
  del('s' .. turn.slot)
  del('p' .. turn.slot)
  del(link_field(turn.tag, turn.ordinal))
  del(turn.id)
  hint(turn)
end
`;
