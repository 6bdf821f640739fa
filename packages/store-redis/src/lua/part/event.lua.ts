/** Events are fields of their own, by sequence number, so that a page is one command wherever it starts. */
export const event = `
local function event_field(turn, seq)
  return 'e' .. turn.slot .. '.' .. seq
end
`;
