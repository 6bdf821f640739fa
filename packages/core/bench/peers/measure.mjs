/**
 * @typedef {object} Peer
 * @property {() => Promise<unknown>} fresh one turn in a session of its own
 * @property {(sessionId: string) => Promise<unknown>} turn one more turn of a session
 * @property {(count: number) => Promise<unknown>} stream one turn that streams so many chunks, read to the end
 */

/** The same work for everybody. Prints microseconds per unit as JSON. @param {Peer} peer */
export async function measure({ fresh, turn, stream }) {
  await repeat(2_000, fresh);
  const freshTime = await fastest(() => repeat(500, fresh), 500);
  // Going on with a session is another path than starting one; it has to be warm as well.
  await sessionTime(turn, { sessions: 200, after: 3, turns: 7 });
  const young = await sessionTime(turn, { sessions: 50, after: 5, turns: 10 });
  const grown = await sessionTime(turn, { sessions: 2, after: 995, turns: 10 });
  await stream(10_000);
  const chunk = await fastest(() => stream(20_000), 20_000);
  console.log(JSON.stringify({ fresh: freshTime, young, grown, chunk }));
}

async function sessionTime(turn, { sessions, after, turns }) {
  const ids = Array.from({ length: sessions }, (_, index) => `${after} turns, ${index}`);
  for (const id of ids) await repeat(after, () => turn(id));
  const started = performance.now();
  for (const id of ids) await repeat(turns, () => turn(id));
  return ((performance.now() - started) * 1_000) / (sessions * turns);
}

async function fastest(run, count) {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 9; round++) {
    const started = performance.now();
    await run();
    best = Math.min(best, ((performance.now() - started) * 1_000) / count);
  }
  return best;
}

async function repeat(count, run) {
  for (let index = 0; index < count; index++) await run();
}
