/** Asks so often, one after the other, and says how long answers took. */
export async function timesOf(ask: () => Promise<unknown>, asked: number, mostMs = 100): Promise<string> {
  const times: number[] = [];
  for (let round = 0; round < asked; round++) {
    const start = performance.now();
    await ask();
    times.push(performance.now() - start);
  }
  times.sort((left, right) => left - right);
  const at = (part: number) => times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0;
  const [middle, late] = [at(0.5), at(0.95)];
  const over = late > mostMs ? `  <-- over ${mostMs} ms` : "";
  return `p50 ${middle.toFixed(1).padStart(7)} ms, p95 ${late.toFixed(1).padStart(7)} ms${over}`;
}
