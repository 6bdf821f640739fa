/**
 * A link per ordinal, beside the records: kind of state ('f' full, 'p' patch, '-' none), the id, and the parent's ordinal
 * where it is not the one below.
 * Lineage is walked along them, because a record is ten times as long. Most histories are lines, so each look fetches the
 * ordinals below, too: a thousand turns are a handful of commands.
 */
export const link = `
local links = {}
local ahead = 16
local function link_field(tag, ordinal)
  return 'l' .. tag .. '.' .. ordinal
end
local function fetch_links(tag, ordinal, count)
  local fields = {}
  local prefix = link_field(tag, '')
  for below = 0, math.min(count, ordinal) - 1 do fields[below + 1] = prefix .. (ordinal - below) end
  local found = redis.call('HMGET', key, unpack(fields))
  for index = 1, #fields do links[ordinal - index + 1] = found[index] end
end
local function read_link(tag, ordinal)
  if links[ordinal] == nil then
    fetch_links(tag, ordinal, ahead)
    ahead = math.min(ahead * 4, 1024)
  end
  local link = links[ordinal]
  if not link then return nil end
  local space = string.find(link, ' ', 2, true)
  if not space then return string.sub(link, 1, 1), ordinal - 1, string.sub(link, 2) end
  return string.sub(link, 1, 1), tonumber(string.sub(link, space + 1)), string.sub(link, 2, space - 1)
end
`;
