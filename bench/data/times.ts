/** Asks so often, one after the other, and says how long answers took, the first for itself: it may make what others use. */
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
