import type { OpenMedium } from "./conformance/medium.ts";

export interface ConformanceOptions {
  /** Multiplies the runs of property tests, each with other values. */
  times?: number;
}

/**
 * Declares the tests that every store must pass, whatever medium it uses: `await storeConformance(…)` in a file that
 * vitest runs.
 */
export async function storeConformance(
  name: string,
  medium: OpenMedium,
  options?: ConformanceOptions,
): Promise<void> {
  // Imported lazily, because the other helpers must work without vitest and fast-check.
  const { describeStore } = await import("./conformance/suite.ts");
  describeStore(name, medium, options);
}
