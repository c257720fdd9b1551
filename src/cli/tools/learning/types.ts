import type { RouteInput } from "../../../client/routes.ts";

export type MeasureType = RouteInput<"POST /api/v1/tools/learning/benchmark">["type"];

/** The types of measurements. Not imported from the contract, which would load all of its schemas. */
export const TYPES: readonly MeasureType[] = [
  "build_duration",
  "test_pass_rate",
  "error_frequency",
  "task_velocity",
  "quality_score",
  "deployment_success",
];
