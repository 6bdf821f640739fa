/** Collects every field of a row for deletion. */
export const dropTurn = `
local function drop_events(turn)
  if not turn.logged then return end
  local prefix = 'e' .. slot(turn) .. '.'
  for seq = 1, turn.last_seq do del(prefix .. seq) end
  turn.logged = false
end
local function drop_turn(turn)
  drop_events(turn)
  del('s' .. slot(turn))
  del('p' .. slot(turn))
  del(link_field(turn.tag, turn.ordinal))
  del(turn.id)
  hint(turn)
end
`;
