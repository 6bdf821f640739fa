/** Asks the worker of a live turn to stop. A repeated request changes nothing. */
export const markAborting = `
local function mark_aborting(turn)
  if turn.status ~= 'p' then return end
  turn.status = 'g'
  touch(turn)
end
`;
