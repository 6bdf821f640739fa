/**
 * An outcome from ARGV, starting at `from`. Those that are hardly ever needed come packed into one text: each part with
 * its length before it.
 */
export const outcome = `
local function read_outcome(list, from)
  local outcome = {}
  outcome.status, outcome.result, outcome.waiting = list[from], list[from + 1], list[from + 2] == '1'
  outcome.kind, outcome.figures, outcome.json = list[from + 3], list[from + 4], list[from + 5]
  outcome.first_seq, outcome.count = tonumber(list[from + 6]), tonumber(list[from + 7])
  outcome.list, outcome.before = list, from + 7
  return outcome
end
local function packed_outcome(packed)
  local parts, at = {}, 1
  while at <= #packed do
    local colon = string.find(packed, ':', at, true)
    local last = colon + tonumber(string.sub(packed, at, colon - 1))
    parts[#parts + 1] = string.sub(packed, colon + 1, last)
    at = last + 1
  end
  return read_outcome(parts, 1)
end
`;
