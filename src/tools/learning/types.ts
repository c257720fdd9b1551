/** The types of measurements, and which values are better. */
export const BETTER = {
  build_duration: "lower",
  test_pass_rate: "higher",
  error_frequency: "lower",
  task_velocity: "higher",
  quality_score: "higher",
  deployment_success: "higher",
} as const;

/** The value of a whole by unit. Without a unit, it is unknown. */
const WHOLE: Readonly<Record<string, number>> = { "%": 100, percent: 100, pct: 100, share: 1 };

/** Types whose values cannot exceed the whole if their unit is a share. */
const OF_A_WHOLE: readonly string[] = [
  "test_pass_rate",
  "deployment_success",
  "quality_score",
] satisfies MeasureType[];

/** Returns the largest possible value of a type in a unit, or undefined if there is none. */
export function mostOf(type: MeasureType, unit = ""): number | undefined {
  return OF_A_WHOLE.includes(type) && Object.hasOwn(WHOLE, unit) ? WHOLE[unit] : undefined;
}

export type MeasureType = keyof typeof BETTER;

export const TYPES = Object.keys(BETTER) as [MeasureType, ...MeasureType[]];
