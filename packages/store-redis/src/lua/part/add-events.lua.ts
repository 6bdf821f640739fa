/** To the end of the log, under the row's epoch; `before` is the place in ARGV before the first. Needs `write`. */
export const addEvents = `
local function add_events(turn, before, count)
  if count == 0 then return end
  local prefix = 'e' .. slot(turn) .. '.'
  for index = 1, count do set(prefix .. (turn.last_seq + index), ARGV[before + index]) end
  turn.last_seq = turn.last_seq + count
  turn.logged = true
  local marks = turn.marks
  if marks[#marks - 1] ~= turn.epoch then marks[#marks + 1] = turn.epoch
  else marks[#marks] = nil end
  marks[#marks + 1] = turn.last_seq
end
`;
