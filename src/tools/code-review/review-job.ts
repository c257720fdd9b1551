import { jobOf, jsonBytes } from "../../contract/job.ts";
import { codeReviewContract } from "./contract.ts";
import { review } from "./review.ts";
import { reviewAsSarif } from "./sarif.ts";

export const reviewJob = jobOf(
  codeReviewContract.review,
  (input, { context }: { context: { sarif: boolean } }) =>
    jsonBytes(context.sarif ? reviewAsSarif(input) : review(input)),
);
