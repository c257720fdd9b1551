import { jobOf } from "../../contract/job.ts";
import { selfHealingContract } from "./contract.ts";
import { diagnose } from "./diagnosing/diagnose.ts";

/** Returns the diagnosis, and the parts of the build that are kept with it. The log itself is not passed on. */
export const diagnoseJob = jobOf(selfHealingContract.diagnose, async (input) => ({
  diagnosis: await diagnose(input),
  build: { command: input.command, exitCode: input.exitCode },
}));
