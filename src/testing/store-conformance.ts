import type { OpenMedium } from "./conformance/medium.ts";

export interface ConformanceOptions {
  /** So many times as often as usual its properties are tried, with other values in each run. */
  times?: number;
}

/**
 * Declares the tests that every store passes, whatever it keeps its data on: `await storeConformance(…)` in a
 * file that vitest runs.
 */
export async function storeConformance(
  name: string,
  medium: OpenMedium,
  options?: ConformanceOptions,
): Promise<void> {
  // What else this package has for tests runs where neither vitest nor fast-check is installed.
  const { describeStore } = await import("./conformance/suite.ts");
  describeStore(name, medium, options);
}
