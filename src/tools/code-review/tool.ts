import { defineTool } from "../define-tool.ts";
import { codeReviewContract } from "./contract.ts";

export const codeReview = defineTool({
  name: "code-review",
  contract: codeReviewContract,
  jobs: { review: new URL("./review-job.ts", import.meta.url) },
  create: async () => (await import("./service.ts")).createCodeReview(),
});
