/**
 * Calls `ask` repeatedly, one call after the other, and describes how long the calls took. The first is reported apart,
 * since it may fill caches that the others use.
 */
export async function timesOf(ask: () => Promise<unknown>, asked: number, mostMs = 100): Promise<string> {
  const times: number[] = [];
  for (let round = 0; round < asked; round++) {
    const start = performance.now();
    await ask();
    times.push(performance.now() - start);
  }
  const first = times.shift() ?? 0;
  times.sort((left, right) => left - right);
  const at = (part: number) => times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0;
  const [middle, late] = [at(0.5), at(0.95)];
  const ms = (time: number) => `${time.toFixed(1).padStart(7)} ms`;
  return `p50 ${ms(middle)}, p95 ${ms(late)} of ${mostMs}${late > mostMs ? " <-- over" : ""}, first ${ms(first)}`;
}

/** Calls `work` repeatedly, one call after the other, and prints how long the calls took. */
export async function printTimes(
  what: string,
  work: (round: number) => Promise<unknown>,
  rounds = 500,
): Promise<void> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    await work(round);
    times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => (times[Math.floor(share * (times.length - 1))] as number).toFixed(1);
  console.log(`${what}: median ${at(0.5)} ms, p95 ${at(0.95)} ms, slowest ${at(1)} ms`);
}
