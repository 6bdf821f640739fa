/** To the end of the log, under the row's epoch; `before` is the place in the list before the first. Needs `write`. */
export const addEvents = `
local function add_events(turn, list, before, count)
  if count == 0 then return end
  local prefix, last = 'e' .. turn.slot .. '.', turn.last_seq
  for index = 1, count do set(prefix .. (last + index), list[before + index]) end
  turn.last_seq = last + count
  turn.logged = true
  local marks = turn.marks
  local size = #marks
  if marks[size - 1] == turn.epoch then
    marks[size] = turn.last_seq
  else
    marks[size + 1], marks[size + 2] = turn.epoch, turn.last_seq
  end
end
`;
