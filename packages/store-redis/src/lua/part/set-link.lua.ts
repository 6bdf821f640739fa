/** Needs `link` and `write`. */
export const setLink = `
local function set_link(turn, kind)
  local elsewhere = turn.parent_ordinal ~= turn.ordinal - 1
  set(link_field(turn.tag, turn.ordinal), kind .. turn.id .. (elsewhere and ' ' .. turn.parent_ordinal or ''))
end
`;
