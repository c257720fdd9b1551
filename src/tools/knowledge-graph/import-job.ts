import { jobOf } from "../../contract/job.ts";
import { knowledgeGraphContract } from "./contract.ts";
import { packImport, packLines } from "./read-import.ts";

/** Reads an import in slices, which the main thread takes one at a time. */
export const importJob = jobOf(knowledgeGraphContract.import, packImport, {
  "application/x-ndjson": packLines,
});
