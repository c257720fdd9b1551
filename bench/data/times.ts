/** Returns the value that a share of the values do not exceed: .5 for the median, 1 for the greatest. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.round(share * (sorted.length - 1))] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Calls `work` repeatedly, one call after the other, and returns the milliseconds that each call took. */
async function timed(work: (round: number) => Promise<unknown>, rounds: number): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    await work(round);
    times.push(performance.now() - start);
  }
  return times;
}

/**
 * Calls `ask` repeatedly and describes how long the calls took. The first is reported apart, since it may fill caches
 * that the others use.
 */
export async function timesOf(ask: () => Promise<unknown>, asked: number, mostMs = 100): Promise<string> {
  const [first = 0, ...times] = await timed(ask, asked);
  const [middle, late] = [median(times), quantile(times, 0.95)];
  const ms = (time: number) => `${time.toFixed(1).padStart(7)} ms`;
  return `p50 ${ms(middle)}, p95 ${ms(late)} of ${mostMs}${late > mostMs ? " <-- over" : ""}, first ${ms(first)}`;
}

/** Calls `work` repeatedly and prints how long the calls took. */
export async function printTimes(
  what: string,
  work: (round: number) => Promise<unknown>,
  rounds = 500,
): Promise<void> {
  const times = await timed(work, rounds);
  const at = (share: number) => quantile(times, share).toFixed(1);
  console.log(`${what}: median ${at(0.5)} ms, p95 ${at(0.95)} ms, slowest ${at(1)} ms`);
}
