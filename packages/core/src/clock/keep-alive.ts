/** Far off; it only has to be there. */
const HOUR_MS = 3_600_000;

let waiting = 0;
let handle: NodeJS.Timeout | undefined;

/**
 * Keeps the process alive until it is let go. For what somebody waits for and only a timer will bring: timers of a clock
 * do not, so a program that waits for nothing else would end in the middle of it.
 */
export function keepAlive(): () => void {
  if (waiting === 0) handle = setInterval(() => {}, HOUR_MS);
  waiting++;
  let held = true;
  return () => {
    if (!held) return;
    held = false;
    waiting--;
    if (waiting === 0) clearInterval(handle);
  };
}
