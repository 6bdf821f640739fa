/**
 * The store's clock is the server's: `now` in milliseconds, and `score` in microseconds, by which lists are ordered.
 *
 * @param skewMs Added to the time, so that tests can let leases run out. 0 in production.
 */
export function clock(skewMs: number): string {
  if (skewMs === 0) {
    return `
local time = redis.call('TIME')
local score = time[1] .. string.sub('00000' .. time[2], -6)
local now = math.floor(score / 1000)
`;
  }
  return `
local time = redis.call('TIME')
local now = math.floor(time[1] * 1000 + time[2] / 1000) + ${skewMs}
local score = string.format('%.0f', now * 1000 + time[2] % 1000)
`;
}
