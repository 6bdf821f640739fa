/**
 * What a caller lacks of a state: the id it holds, or false, and rows of id, kind and text, oldest first. `known` is ids
 * between commas. The progress of a live row is replaced as it goes on, so to have held it once is not to hold it now.
 */
export const chain = `
local function is_known(known, id)
  return known ~= ',' and string.find(known, ',' .. id .. ',', 1, true)
end
local function chain_below(tag, ordinal, known, own)
  local fields, ids, kinds, count = {}, {}, {}, 0
  local held, prefix, all = false, 's' .. tag .. '.', known == ','
  local kind, parent, id
  while ordinal > 0 do
    kind, parent, id = read_link(tag, ordinal)
    if not kind then break end
    if not all and is_known(known, id) then
      held = id
      break
    end
    if kind ~= '-' then
      count = count + 1
      fields[count], ids[count], kinds[count] = prefix .. ordinal, id, kind
      if kind == 'f' then break end
    end
    ordinal = parent
  end
  local rows, size = {}, 0
  for last = count, 1, -1000 do
    local first = math.max(last - 999, 1)
    local texts = redis.call('HMGET', key, unpack(fields, first, last))
    for index = last, first, -1 do
      rows[size + 1], rows[size + 2], rows[size + 3] = ids[index], kinds[index], texts[index - first + 1]
      size = size + 3
    end
  end
  if own then rows[size + 1], rows[size + 2], rows[size + 3] = own[1], own[2], own[3] end
  return held, rows
end
local function chain_to(turn, known)
  if not is_live(turn) then
    if is_known(known, turn.id) then return turn.id, {} end
    return chain_below(turn.tag, turn.ordinal, known)
  end
  if not turn.kind then return chain_below(turn.tag, turn.parent_ordinal, known) end
  local own = { turn.id, turn.kind, redis.call('HGET', key, 'p' .. turn.slot) }
  if turn.kind == 'f' then return false, own end
  return chain_below(turn.tag, turn.parent_ordinal, known, own)
end
`;
