/**
 * Reads ARGV from front to back. An optional text is '-' when absent and '=' before it when present, so that the empty
 * text is a text. The caller's owner comes first, and compared in one place: `visible`.
 */
export const request = `
local key = KEYS[1]
local at = 1
local function take()
  at = at + 1
  return ARGV[at]
end
local function take_number()
  return tonumber(take())
end
local function optional(text)
  return string.byte(text) == 61 and string.sub(text, 2)
end
local function take_optional()
  return optional(take())
end
local owner = optional(ARGV[1])
local function visible(row)
  return not owner or not row.owner or row.owner == owner
end
`;
