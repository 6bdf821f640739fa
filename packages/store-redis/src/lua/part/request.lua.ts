/**
 * Reads ARGV from front to back. An optional text is '-' when absent and '=' before it when present, so that the empty
 * text is a text. Owners are compared in one place: `visible`.
 */
export const request = `
local key = KEYS[1]
local at = 0
local function take()
  at = at + 1
  return ARGV[at]
end
local function take_number()
  return tonumber(take())
end
local function take_optional()
  local text = take()
  return string.byte(text) == 61 and string.sub(text, 2)
end
local owner = take_optional()
local function visible(row)
  return not owner or not row.owner or row.owner == owner
end
`;
