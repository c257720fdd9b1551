import { jobOf, jsonBytes } from "../../contract/job.ts";
import { contextOptimizerContract } from "./contract.ts";
import { locate } from "./retrieval/locate.ts";

export const locateJob = jobOf(contextOptimizerContract.locate, (input) => jsonBytes(locate(input)));
