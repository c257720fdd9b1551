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
