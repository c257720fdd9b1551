import { jobOf, jsonBytes } from "../../contract/job.ts";
import { contextOptimizerContract } from "./contract.ts";
import { optimize } from "./optimize.ts";

export const optimizeJob = jobOf(contextOptimizerContract.optimize, async (input) =>
  jsonBytes(await optimize(input)),
);
