import { FORMAT_VERSION } from "../format-version.ts";

/**
 * A session that another version wrote is not touched: its version goes back to the client, which says what to do.
 * `found` is the field 'v'; a session that does not exist has none.
 */
export const format = `
local FORMAT = '${FORMAT_VERSION}'
local function foreign(found)
  if found and found ~= FORMAT then return { 'format', found } end
end
`;
