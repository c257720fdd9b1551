import { jobOf } from "../../contract/compute.ts";
import { analyseMany } from "./analyse.ts";
import { agentMemoryContract } from "./contract.ts";

export const storeManyJob = jobOf(agentMemoryContract.storeMany, (input) => analyseMany(input));
