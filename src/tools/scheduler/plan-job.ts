import { jobOf, jsonBytes } from "../../contract/job.ts";
import { schedulerContract } from "./contract.ts";
import { plan } from "./plan.ts";

export const planJob = jobOf(schedulerContract.plan, (input) => jsonBytes(plan(input)));
