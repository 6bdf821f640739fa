/**
 * The store's clock is the server's, to the microsecond: `micros` orders lists, `now` is in milliseconds.
 *
 * @param skewMs Added to the time, so that tests can let leases run out. 0 in production.
 */
export function clock(skewMs: number): string {
  return `
local time = redis.call('TIME')
local micros = time[1] * 1000000 + time[2]${skewMs === 0 ? "" : ` + ${skewMs} * 1000`}
local now = math.floor(micros / 1000)
`;
}
