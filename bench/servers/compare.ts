import { median } from "../data/times.ts";
import type { Load, Request } from "./load.ts";

/** A named side of a comparison: one server, or several that share the connections. */
export interface Contender {
  name: string;
  urls: readonly string[];
}

export interface Comparison {
  request: Pick<Request, "method" | "headers"> & { path: string; body?: string };
  connections: number;
  seconds: number;
  rounds: number;
  load: Load;
  /** Contenders that all rates are divided by, and the unit that is printed after each ratio. */
  beside: Readonly<Record<string, string>>;
}

/** Measures requests a second and p99 in one run with one load generator. Rounds alternate; medians are printed. */
export async function compare(
  contenders: readonly Contender[],
  { request: { path, ...request }, connections, seconds, rounds, load, beside }: Comparison,
): Promise<void> {
  const rates = new Map<string, number[]>(contenders.map(({ name }) => [name, []]));
  const tails = new Map<string, number[]>(contenders.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const { name, urls } of contenders) {
      const measured = await Promise.all(
        urls.map((url) =>
          load(
            { ...request, url: url + path },
            { connections: Math.ceil(connections / urls.length), seconds },
          ),
        ),
      );
      rates.get(name)?.push(measured.reduce((sum, { requestsPerSecond }) => sum + requestsPerSecond, 0));
      tails.get(name)?.push(Math.max(...measured.map(({ p99 }) => p99)));
    }
  }
  const rateOf = (name: string) => median(rates.get(name) ?? []);
  const width = Math.max(...contenders.map(({ name }) => name.length));
  console.log(`\n${request.method} ${path}, ${connections} connections`);
  for (const { name } of contenders) {
    const rate = Math.round(rateOf(name)).toLocaleString("en").padStart(8);
    const multiples = Object.entries(beside).map(
      ([other, called]) => `${(rateOf(name) / rateOf(other)).toFixed(2)} ${called}`,
    );
    const p99 = median(tails.get(name) ?? []).toFixed(1);
    console.log(`  ${name.padEnd(width)} ${rate} req/s  ${multiples.join(", ")}  p99 ${p99} ms`);
  }
}
