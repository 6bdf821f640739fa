/**
 * "Look again", for each turn that changed, once per script. Nobody's right to publish decides whether a turn is written,
 * hence pcall: a user without it leaves the others to their slow poll.
 */
export const hint = `
local hinted = {}
local function hint(turn)
  if not turn.hinted then
    turn.hinted = true
    hinted[#hinted + 1] = turn
  end
end
local function publish_hints()
  for _, turn in ipairs(hinted) do
    turn.hinted = nil
    redis.pcall('PUBLISH', key .. '/' .. turn.id, turn.owner and '=' .. turn.owner or '-')
  end
  hinted = {}
end
`;
