import { analyse, type MetricResult } from "../../../src/tools/anomalies/detecting/analyse.ts";

/** Returns normal noise around 0 with standard deviation 1, the same for the same seed. */
export function noise(length: number, seed = 1): number[] {
  let state = seed * 7919;
  const chance = () => {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0;
    return (state + 1) / 2 ** 32;
  };
  return Array.from({ length }, () => Math.sqrt(-2 * Math.log(chance())) * Math.cos(2 * Math.PI * chance()));
}

/** Returns build times of about 100 ± 3 s. From a point on, `after` adds to them. */
export function builds(length: number, after?: { from: number; add: (since: number) => number }): number[] {
  return noise(length).map((each, index) => {
    const extra = after && index >= after.from ? after.add(index - after.from) : 0;
    return 100 + 3 * each + extra;
  });
}

interface More {
  times?: readonly number[];
  memory?: string;
  settings?: { low?: number; high?: number; maxGapMs?: number };
  weights?: { spike?: number };
  sensitivity?: "low" | "medium" | "high";
}

export function judge(values: readonly number[], more: More = {}): MetricResult {
  const { times, sensitivity = "medium", settings = {}, weights = {}, memory } = more;
  const metric = {
    name: "build_seconds",
    values: Float64Array.from(values),
    times: Float64Array.from(times ?? values.map(() => Number.NaN)),
    settings,
    weights,
    ...(memory !== undefined && { memory }),
  };
  return analyse({ metrics: [metric], sensitivity })[0] as MetricResult;
}

/** Formats findings such as `300 spike`. */
export function found(result: MetricResult): string[] {
  return result.findings.map(({ index, kind }) => `${index} ${kind}`);
}
