/** What is measured, and which way is better. */
export const BETTER = {
  build_duration: "lower",
  test_pass_rate: "higher",
  error_frequency: "lower",
  task_velocity: "higher",
  quality_score: "higher",
  deployment_success: "higher",
} as const;

/** All of a whole, by unit: of a number without one nobody knows what it counts. */
const WHOLE: Readonly<Record<string, number>> = { "%": 100, percent: 100, pct: 100, share: 1 };

/** What can be no more than all of a whole where its unit says that it is a share. */
const OF_A_WHOLE: readonly string[] = [
  "test_pass_rate",
  "deployment_success",
  "quality_score",
] satisfies MeasureType[];

/** The most that there can be of a type in a unit; undefined where nothing bounds it. */
export function mostOf(type: MeasureType, unit = ""): number | undefined {
  return OF_A_WHOLE.includes(type) && Object.hasOwn(WHOLE, unit) ? WHOLE[unit] : undefined;
}

export type MeasureType = keyof typeof BETTER;

export const TYPES = Object.keys(BETTER) as [MeasureType, ...MeasureType[]];
