/** The types of measurements, and which values are better. */
export const BETTER = {
  build_duration: "lower",
  test_pass_rate: "higher",
  error_frequency: "lower",
  task_velocity: "higher",
  quality_score: "higher",
  deployment_success: "higher",
} as const;

export type MeasureType = keyof typeof BETTER;

export const TYPES = Object.keys(BETTER) as [MeasureType, ...MeasureType[]];
