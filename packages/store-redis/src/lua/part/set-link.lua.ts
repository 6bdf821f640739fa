/** Needs `link` and `write`. */
export const setLink = `
local function set_link(turn, kind)
  set(link_field(turn.tag, turn.ordinal), kind .. turn.parent_ordinal .. ' ' .. turn.id)
end
`;
